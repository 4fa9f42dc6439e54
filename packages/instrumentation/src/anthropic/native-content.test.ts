import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { edit, type NativeContent, SLOT } from './native-content.ts'

const SOURCE = `({ contentMode }) => ({ contentMode: contentMode === 'content' ? 'content' : 'metadata_only' })`

/** What the edited source settles on in a realm of its own, in which `setting` is the content setting. */
function settled(given: object, setting?: NativeContent): string {
  const realm = setting && { [Symbol.for(SLOT)]: setting }
  return runInNewContext(edit(SOURCE).source, realm)(given).contentMode
}

describe('content in the native spans of the Anthropic client', () => {
  it('follows the content setting unless the client sets a mode', () => {
    expect(settled({}, { contentMode: 'content' })).toBe('content')
    expect(settled({ contentMode: 'metadata_only' }, { contentMode: 'content' })).toBe('metadata_only')
    expect(settled({}, { contentMode: 'metadata_only' })).toBe('metadata_only')
    expect(settled({ contentMode: 'content' }, { contentMode: 'metadata_only' })).toBe('content')
  })

  it("is the library's default if no content setting is available", () => {
    expect(settled({})).toBe('metadata_only')
  })

  it('is not edited in source of another form', () => {
    expect(edit('const a = 1')).toEqual({ source: 'const a = 1', missing: ['the content of its own spans'] })
  })
})
