import { expect, it } from 'vitest'
import { findNumberText, parseExactly } from './exact-json.ts'

it.each(['9007199254740993', '-9007199254740993', '1.10', '1.0', '-0', '1e400', '1E5', '0.1234567890123456789'])(
  'the number %s keeps its text, wherever it stands',
  (text) => {
    const json = `{"a":[${text},{"b":${text}}],"c":"${text}"}`
    expect(JSON.stringify(parseExactly(json))).toBe(json)
    expect(findNumberText(parseExactly(text))).toBe(text)
  },
)

it('other values are those of JSON.parse', () => {
  const value = { id: 9007199254740991, price: 1.1, small: 1e-7, text: '1.10 1e400', none: null, '-0': [0, -1] }
  expect(parseExactly(JSON.stringify(value))).toEqual(value)
  expect(findNumberText({ rawJSON: '1' })).toBeUndefined()
})
