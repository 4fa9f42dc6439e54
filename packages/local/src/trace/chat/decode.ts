import { decoded } from '../../json-text.ts'

const MAX_DEPTH = 500

/**
 * Decodes a stored text for the chat view: JSON is decoded as deep as it goes, JSON texts inside it as well, so that
 * arguments of calls arrive as objects. Numbers in texts stay texts.
 */
export function decodedDeeply(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) return value
  if (typeof value === 'string') {
    const inner = jsonIn(value)
    return inner === value ? value : decodedDeeply(inner, depth + 1)
  }
  if (Array.isArray(value)) return value.map((item) => decodedDeeply(item, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decodedDeeply(item, depth + 1)]))
}

function jsonIn(text: string): unknown {
  const value = decoded(text)
  return typeof value === 'number' ? text : value
}
