import { findNumberText } from '../../exact-json.ts'
import { decoded } from '../../json-text.ts'

const MAX_DEPTH = 500

/**
 * Decodes a stored text for the chat view: JSON is decoded as deep as it goes, JSON texts inside it as well, so that
 * arguments of calls arrive as objects. Numbers in texts stay texts.
 *
 * @param decode reads one text.
 */
export function decodedDeeply(value: unknown, decode: (text: string) => unknown = decoded, depth = 0): unknown {
  if (depth > MAX_DEPTH) return value
  if (typeof value === 'string') {
    const inner = jsonIn(value, decode)
    return inner === value ? value : decodedDeeply(inner, decode, depth + 1)
  }
  if (Array.isArray(value)) return value.map((item) => decodedDeeply(item, decode, depth + 1))
  if (typeof value !== 'object' || value === null || isNumber(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decodedDeeply(item, decode, depth + 1)]))
}

function jsonIn(text: string, decode: (text: string) => unknown): unknown {
  const value = decode(text)
  return isNumber(value) ? text : value
}

const isNumber = (value: unknown) => typeof value === 'number' || findNumberText(value) !== undefined
