import { expect, it } from 'vitest'
import { passageOf } from './guide.ts'

it('a passage has the code of version 6, and neither that of version 5 nor comments of the page', () => {
  const passage = passageOf('media')
  expect(passage).toContain("client.media.resolveReferences({ obj: messages, resolveWith: 'base64DataUri' })")
  expect(passage).not.toMatch(/fetchMedia\('|<!--/)
})

it('a passage has the words of a link, and not its target, which is a path of this repository', () => {
  const passage = passageOf('names-of-older-versions')
  expect(passage).toContain('observations')
  expect(passage).not.toContain('](')
})
