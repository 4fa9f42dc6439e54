import { expect, it } from 'vitest'
import { decoded } from './json-text.ts'

it.each([
  ['{"a":[1]}', { a: [1] }],
  ['"text"', 'text'],
  ['5', 5],
  ['null', null],
  ['plain text', 'plain text'],
  ['{"a":', '{"a":'],
  ['', ''],
])('JSON text is formatted: %s', (text, value) => {
  expect(decoded(text)).toEqual(value)
})

it('JSON text nested too deep to be formatted stays unchanged', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  expect(decoded(nested(500))).toBeInstanceOf(Array)
  expect(decoded(nested(20_000))).toBe(nested(20_000))
})
