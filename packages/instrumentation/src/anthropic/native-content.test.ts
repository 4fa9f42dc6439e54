import { runInThisContext } from 'node:vm'
import { afterEach, describe, expect, it } from 'vitest'
import { edit, SLOT } from './native-content.ts'

const SOURCE = `({ contentMode }) => ({ contentMode: contentMode === 'content' ? 'content' : 'metadata_only' })`
const slots = globalThis as unknown as Record<symbol, object | undefined>

afterEach(() => {
  delete slots[Symbol.for(SLOT)]
})

describe('content in the native spans of the Anthropic client', () => {
  const settled = (given: object): string => {
    return runInThisContext(edit(SOURCE).source)(given).contentMode
  }

  it('follows the content setting unless the client sets a mode', () => {
    slots[Symbol.for(SLOT)] = { contentMode: 'content' }
    expect(settled({})).toBe('content')
    expect(settled({ contentMode: 'metadata_only' })).toBe('metadata_only')
    slots[Symbol.for(SLOT)] = { contentMode: 'metadata_only' }
    expect(settled({})).toBe('metadata_only')
    expect(settled({ contentMode: 'content' })).toBe('content')
  })

  it("is the library's default if no content setting is available", () => {
    expect(settled({})).toBe('metadata_only')
  })

  it('is not edited in source of another form', () => {
    expect(edit('const a = 1')).toEqual({ source: 'const a = 1', missing: ['the content of its own spans'] })
  })
})
