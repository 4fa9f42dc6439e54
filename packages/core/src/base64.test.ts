import { afterEach, describe, expect, it, vi } from 'vitest'
import { base64End, fromBase64, textToBase64, toBase64 } from './base64.ts'

afterEach(() => void vi.unstubAllGlobals())

const bytes = Uint8Array.from({ length: 300 }, (_, at) => (at * 7) % 256)

describe('base64', () => {
  it('agrees with Buffer', () => {
    expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
    expect(textToBase64('pk:sécret')).toBe(Buffer.from('pk:sécret').toString('base64'))
  })

  it('encodes more bytes than a call may have arguments', () => {
    const many = new Uint8Array(300_000).fill(7)
    expect(toBase64(many)).toBe(Buffer.from(many).toString('base64'))
  })

  it.each(['with Buffer', 'without Buffer'])('decodes both alphabets, padded or not: %s', (where) => {
    if (where === 'without Buffer') vi.stubGlobal('Buffer', undefined)
    const standard = toBase64(bytes)
    const urlSafe = standard.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
    expect(fromBase64(standard)).toEqual(bytes)
    expect(fromBase64(urlSafe)).toEqual(bytes)
  })

  it.each(['a', 'ab$d', 'ab c', 'a+b-', 'abcd=', 'ab==x'])('does not decode "%s"', (text) => {
    expect(fromBase64(text)).toBeUndefined()
  })

  it.each([
    ['abcd', 4],
    ['abc=', 4],
    ['abc', 3],
    ['ab==', 4],
    ['ab===', 4],
    ['abcd,efgh', 4],
    ['ab+/-tail', 4],
    ['ab-_+tail', 4],
    ['abcde', 0],
    ['"', 0],
  ])('in %s ends at offset %d', (text, end) => {
    expect(base64End(text, 0)).toBe(end)
  })
})
