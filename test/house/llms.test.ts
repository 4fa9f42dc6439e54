import { expect, it } from 'vitest'
import { llms } from '../../scripts/llms.mjs'
import { read } from './repository.ts'

it('docs/llms.txt lists each page by its title', () => {
  const pages = (text: string) => text.match(/^- \[.*?\]\([\w.-]+\)/gm)
  expect(pages(read('docs/llms.txt')), 'run: pnpm docs:llms').toEqual(pages(llms()))
})
