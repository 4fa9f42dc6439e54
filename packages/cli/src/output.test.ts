import { describe, expect, it } from 'vitest'
import { painted, write, writeJson } from './output.ts'

function written(work: (output: { write(text: string | Uint8Array): boolean }) => void): string {
  const parts: string[] = []
  work({ write: (text) => parts.push(String(text)) > 0 })
  return parts.join('')
}
const shown = (text: string) => written((output) => write(output, text))

/** What terminals obey: an escape sequence, one of C1, backspaces, a title, text that runs backwards, no width. */
const HOSTILE = [
  '\u001b[2J',
  '\u009b31m',
  'a\b\b',
  '\u001b]0;x\u0007',
  '\u202Eevil\u2066',
  'a\u200Bb',
  '\u007f',
  '\u2028',
  '\rall',
]

describe('what is written', () => {
  it.each(HOSTILE)('has nothing that a terminal obeys: %j', (text) => {
    expect(shown(`  name: ${text}\n`)).toMatch(/^ {2}name: [\x20-\x7e]*\n$/)
  })

  it('keeps lines, indentation and tabs', () => {
    const text = 'a\n  b\tc\n\n\t- d  e\n'
    expect(shown(text)).toBe(text)
  })

  it('has our colours, and none that look like ours', () => {
    const mark = painted('red', '').slice(0, -3)
    expect(shown(painted('red', 'a'))).toBe('\u001b[31ma\u001b[39m')
    expect(mark).not.toBe('')
    expect(shown(painted('red', '\u001b[31ma'))).toBe('\u001b[31m [31ma\u001b[39m')
  })

  it('may clear its line, before anything else', () => {
    expect(shown('\r\u001b[2Ka\r\u001b[2Kb')).toBe('\r\u001b[2Ka  [2Kb')
  })

  it('has no keys', () => {
    expect(shown('  401: Basic cGstMTIzNDU2Nzg6c2s=')).toBe('  401: Basic (hidden)')
  })
})

describe('JSON', () => {
  it.each([...HOSTILE, '\u{E0041}'])('is valid and has nothing that a terminal obeys: %j', (text) => {
    const json = written((output) => writeJson(output, { [text]: [text] }))
    expect(json).toMatch(/^[\n\x20-\x7e]*$/)
    expect(JSON.parse(json)).toEqual({ [text]: [text] })
  })

  it('is whole, for a replay reads what was exported', () => {
    const input = JSON.stringify({ content: 'a'.repeat(100_000), key: 'api_key=12345678' })
    const json = written((output) => writeJson(output, { input }, 0))
    expect(JSON.parse(json)).toEqual({ input: input.replace('12345678', '(hidden)') })
  })

  it('has no keys', () => {
    expect(written((output) => writeJson(output, { seen: 'api_key=12345678' }))).toContain('"api_key=(hidden)"')
  })
})
