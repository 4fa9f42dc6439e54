import { isObject } from '../gen-ai/read.ts'

/** A list of numbers of this length is a vector; distances and scores are fewer. */
const VECTOR_LENGTH = 64
const DEPTH_LIMIT = 16

/** The same value, with the length of each vector in the place of its numbers. */
export function withoutVectors(value: unknown, depth = 0): unknown {
  if (!isObject(value) || depth >= DEPTH_LIMIT) return value
  if (ArrayBuffer.isView(value)) return `[vector of ${value.byteLength} bytes]`
  if (Array.isArray(value)) {
    const isVector = value.length >= VECTOR_LENGTH && typeof value[0] === 'number'
    return isVector ? `[vector of ${value.length} numbers]` : value.map((item) => withoutVectors(item, depth + 1))
  }
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withoutVectors(field, depth + 1)]))
}
