import { FAILED_TO_SERIALIZE } from '@svc/core/json'
import { contentMaxBytes } from './configure.ts'

/** Most characters of `data:` URIs in one attribute, beside its text: half a dozen photographs. */
export const MEDIA_LIMIT = 8_000_000
/** What a text may always have, as long as there is any room. */
const TEXT_MINIMUM = 1_000
/** No character of a JavaScript string takes more bytes. */
const BYTES_A_CHARACTER = 3
const DEPTH_LIMIT = 64

const encoder = new TextEncoder()

interface Room {
  /** Bytes, counted before JSON escapes them. */
  text: number
  /** Characters, which are bytes in base64. */
  media: number
}

/**
 * JSON text of any value, within bounds, without ever throwing. What does not fit is replaced by a text that says so:
 * `[truncated by svc: …]`. Room goes to the last item of a list first, because the newest message tells most; no text
 * takes more than half of what is left, so that others are seen beside it. A `data:` URI is kept whole or not at all:
 * a part of an image is none.
 */
export function toBoundedJson(value: unknown): string {
  const limit = contentMaxBytes()
  const whole = stringified(value)
  if (whole !== undefined && isWithin(limit, whole)) return whole
  return stringified(bounded(value, { text: limit, media: MEDIA_LIMIT }, [])) ?? JSON.stringify(FAILED_TO_SERIALIZE)
}

/** Bytes are counted only where it is close. */
function isWithin(limit: number, text: string): boolean {
  return text.length * BYTES_A_CHARACTER <= limit || (text.length <= limit && bytesOf(text) <= limit)
}

function bytesOf(text: string): number {
  // Edge runtimes have no Buffer, which is many times faster.
  return typeof Buffer === 'function' ? Buffer.byteLength(text) : encoder.encode(text).length
}

function stringified(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

function bounded(value: unknown, room: Room, ancestors: readonly unknown[]): unknown {
  if (typeof value === 'string') return shortened(value, room)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return value
  if (ancestors.includes(value)) return FAILED_TO_SERIALIZE
  if (ancestors.length >= DEPTH_LIMIT) return truncated(`more than ${DEPTH_LIMIT} levels`)
  try {
    const plain = 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value
    if (typeof plain !== 'object' || plain === null) return bounded(plain, room, ancestors)
    return Array.isArray(plain)
      ? boundedList(plain, room, [...ancestors, value])
      : boundedFields(plain, room, [...ancestors, value])
  } catch {
    return FAILED_TO_SERIALIZE
  }
}

function boundedList(list: readonly unknown[], room: Room, ancestors: readonly unknown[]): unknown[] {
  const kept: unknown[] = []
  for (let index = list.length - 1; index >= 0; index -= 1) {
    if (room.text <= 0) return [truncated(`${index + 1} earlier items`), ...kept.reverse()]
    room.text -= 1
    kept.push(field(list, index, room, ancestors))
  }
  return kept.reverse()
}

function boundedFields(fields: object, room: Room, ancestors: readonly unknown[]): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  const keys = Object.keys(fields)
  for (const [index, key] of keys.entries()) {
    if (room.text <= 0) return { ...kept, '…': truncated(`${keys.length - index} more fields`) }
    room.text -= key.length + 1
    kept[key] = field(fields, key, room, ancestors)
  }
  return kept
}

function field(owner: object, key: PropertyKey, room: Room, ancestors: readonly unknown[]): unknown {
  try {
    return bounded(Reflect.get(owner, key), room, ancestors)
  } catch {
    return FAILED_TO_SERIALIZE
  }
}

function shortened(text: string, room: Room): string {
  if (text.startsWith('data:') && text.length > 1_000) {
    if (text.length > room.media) return truncated(`a data URI of ${text.length} characters`)
    room.media -= text.length
    return text
  }
  const allowed = Math.max(Math.ceil(room.text / 2), Math.min(TEXT_MINIMUM, room.text))
  if (isWithin(allowed, text)) {
    room.text -= bytesOf(text)
    return text
  }
  room.text -= allowed
  // Takes whole characters only, and no more than there is room for.
  const { read } = encoder.encodeInto(text.slice(0, allowed), new Uint8Array(allowed))
  return text.slice(0, read) + truncated(`${text.length - read} more characters`)
}

export function truncated(what: string): string {
  return `[truncated by svc: ${what}]`
}
