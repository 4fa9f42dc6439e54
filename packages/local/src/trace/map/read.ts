import { findNumberText } from '../../exact-json.ts'
import { decodedExactly } from '../../json-text.ts'
import type { Attributes, Value } from '../../store/received.ts'

/** A span attribute as text: numbers and booleans are written out, empty text counts as missing. */
export function readText(value: Value | undefined): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value !== '' ? value : findNumberText(value)
}

export function firstText(attributes: Attributes, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const text = readText(attributes[key])
    if (text !== undefined) return text
  }
  return undefined
}

/** Missing, null or empty text. */
export const isEmpty = (value: Value | undefined): boolean => value === undefined || value === null || value === ''

export type ValueMap = Readonly<Record<string, Value>>

export function isMap(value: unknown): value is Record<string, Value> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && findNumberText(value) === undefined
}

/** A map, given as one or as JSON text of one. */
export function mapOf(value: Value | undefined): Record<string, Value> | undefined {
  const map = typeof value === 'string' ? decodedExactly(value) : value
  return isMap(map) ? map : undefined
}

/** A list, given as one or as JSON text of one. */
export function arrayOf(value: Value | undefined): Value[] | undefined {
  const list = typeof value === 'string' ? decodedExactly(value) : value
  return Array.isArray(list) ? list : undefined
}

/** A finite number, given as one or as text. */
export function numberOf(value: Value | undefined): number | undefined {
  const text = typeof value === 'string' && value.trim() !== '' ? value : findNumberText(value)
  const number = text === undefined ? value : Number(text)
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** Entries whose key starts with `prefix`, the prefix cut off. */
export function under(attributes: Attributes, prefix: string): [string, Value][] {
  return Object.entries(attributes)
    .filter(([key]) => key.startsWith(prefix) && key.length > prefix.length)
    .map(([key, value]) => [key.slice(prefix.length), value])
}
