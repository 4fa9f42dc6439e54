import { FAILED_TO_SERIALIZE } from '@svc/core/json'

/** Most characters of text in one attribute, counted before JSON escapes them. */
export const TEXT_LIMIT = 1_000_000
/** Most characters of `data:` URIs in one attribute, beside its text: half a dozen photographs. */
export const MEDIA_LIMIT = 8_000_000
/** What a text may always have, as long as there is any room. */
const TEXT_MINIMUM = 1_000
const DEPTH_LIMIT = 64

interface Room {
  text: number
  media: number
}

/**
 * JSON text of any value, within bounds, without ever throwing. What does not fit is replaced by a text that says so:
 * `[truncated by svc: …]`. Room goes to the last item of a list first, because the newest message tells most; no text
 * takes more than half of what is left, so that others are seen beside it. A `data:` URI is kept whole or not at all:
 * a part of an image is none.
 */
export function toBoundedJson(value: unknown): string {
  const whole = stringified(value)
  if (whole !== undefined && whole.length <= TEXT_LIMIT) return whole
  return (
    stringified(bounded(value, { text: TEXT_LIMIT, media: MEDIA_LIMIT }, [])) ?? JSON.stringify(FAILED_TO_SERIALIZE)
  )
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
  const allowed = Math.max(Math.ceil(room.text / 2), TEXT_MINIMUM)
  room.text -= Math.min(text.length, allowed)
  return text.length <= allowed ? text : cut(text, allowed)
}

function cut(text: string, length: number): string {
  // Half of a surrogate pair is no character.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length
  return text.slice(0, end) + truncated(`${text.length - end} more characters`)
}

export function truncated(what: string): string {
  return `[truncated by svc: ${what}]`
}
