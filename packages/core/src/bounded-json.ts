import { contentMaxBytes } from './content-limit.ts'
import { FAILED_TO_SERIALIZE, placeholderOf, plainOf, tolerant, valueAt } from './json.ts'

/** Maximum characters of `data:` URIs in one attribute, in addition to its text: about six photos. */
export const MEDIA_LIMIT = 8_000_000
/** Minimum of bytes for one string, as far as any remain. */
const TEXT_MINIMUM = 1_000
/** Maximum bytes of one UTF-16 unit in UTF-8. */
const BYTES_A_CHARACTER = 3
const DEPTH_LIMIT = 64

const TOO_DEEP = truncated(`more than ${DEPTH_LIMIT} levels`)

interface Remaining {
  /** Bytes, before JSON escapes. */
  text: number
  /** Characters, which are bytes in base64. */
  media: number
}

/**
 * Returns an input or output of any type as text: a string unchanged, anything else as JSON. Stops reading at the
 * limit, and writes a placeholder for bytes and streams: serializing a response of 10 MB would block the event loop.
 *
 * @param limit maximum bytes of the text, default `SVC_CONTENT_MAX_BYTES`
 * @returns undefined for null, undefined and values without a JSON form; never throws
 */
export function boundedText(value: unknown, limit: number = contentMaxBytes()): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return cut(value, limit)
  return placeholderOf(value) ?? boundedJson(value, limit)
}

/** Returns the first `limit` bytes of a text, with a note if the rest is cut off. */
function cut(text: string, limit: number): string {
  if (isWithin(limit, text)) return text
  return text.startsWith('data:') && text.length <= MEDIA_LIMIT ? text : firstBytes(text, limit)
}

/**
 * Returns a value of any type as JSON, within a limit. Never throws. Parts that do not fit are replaced by a string:
 * `[truncated by svc: …]`. The last items of a list are kept first, because the newest message is the most useful one;
 * a string gets at most half of the remaining bytes, so that other fields are kept, too. A `data:` URI is kept whole or
 * replaced, because part of an image is useless. Bytes and streams become placeholders.
 *
 * @returns undefined for values without a JSON form, such as functions
 */
export function boundedJson(value: unknown, limit: number = contentMaxBytes()): string | undefined {
  try {
    return JSON.stringify(boundValue(value, { text: limit, media: MEDIA_LIMIT }, []))
  } catch {
    return JSON.stringify(FAILED_TO_SERIALIZE)
  }
}

/** Whether a text has at most `limit` bytes. Counts them only if the length does not decide. */
export function isWithin(limit: number, text: string): boolean {
  return text.length * BYTES_A_CHARACTER <= limit || (text.length <= limit && bytesOf(text) <= limit)
}

export function bytesOf(text: string): number {
  // `Buffer` is many times faster; edge runtimes do not have it.
  return globalThis.Buffer?.byteLength(text) ?? new TextEncoder().encode(text).length
}

function boundValue(value: unknown, remaining: Remaining, ancestors: unknown[]): unknown {
  if (typeof value === 'string') return shortenText(value, remaining)
  if (typeof value !== 'object' || value === null) return boundScalar(value, remaining)
  const name = placeholderOf(value)
  if (name !== undefined) return boundValue(name, remaining, ancestors)
  if (ancestors.includes(value)) return placeholder(FAILED_TO_SERIALIZE, remaining)
  if (ancestors.length >= DEPTH_LIMIT) return placeholder(TOO_DEEP, remaining)
  const depth = ancestors.length
  try {
    const plain = plainOf(value)
    if (typeof plain !== 'object' || plain === null) return boundValue(plain, remaining, ancestors)
    ancestors.push(value)
    return Array.isArray(plain) ? boundList(plain, remaining, ancestors) : boundFields(plain, remaining, ancestors)
  } catch {
    return placeholder(FAILED_TO_SERIALIZE, remaining)
  } finally {
    ancestors.length = depth
  }
}

/** A number, boolean or null; what has no JSON form stays as it is. */
function boundScalar(value: unknown, remaining: Remaining): unknown {
  const kept = tolerant('', value)
  if (typeof kept !== 'function' && typeof kept !== 'symbol') remaining.text -= String(kept).length
  return kept
}

function placeholder(text: string, remaining: Remaining): string {
  remaining.text -= text.length
  return text
}

function boundList(list: readonly unknown[], remaining: Remaining, ancestors: unknown[]): unknown[] {
  const kept: unknown[] = []
  for (let index = list.length - 1; index >= 0; index -= 1) {
    if (remaining.text <= 0) return [truncated(`${index + 1} earlier items`), ...kept.reverse()]
    remaining.text -= 1
    kept.push(boundValue(valueAt(list, index), remaining, ancestors))
  }
  return kept.reverse()
}

function boundFields(fields: object, remaining: Remaining, ancestors: unknown[]): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  const keys = Object.keys(fields)
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] as string
    if (remaining.text <= 0) return { ...kept, '…': truncated(`${keys.length - index} more fields`) }
    remaining.text -= key.length + 1
    const bounded = boundValue(valueAt(fields, key), remaining, ancestors)
    // What it inherits may be a setter, or not writable: `__proto__`, a frozen or polluted prototype.
    if (key in kept) Object.defineProperty(kept, key, { value: bounded, enumerable: true })
    else kept[key] = bounded
  }
  return kept
}

function shortenText(text: string, remaining: Remaining): string {
  if (text.startsWith('data:') && text.length > 1_000) {
    if (text.length > remaining.media) return truncated(`a data URI of ${text.length} characters`)
    remaining.media -= text.length
    return text
  }
  const allowed = Math.max(Math.ceil(remaining.text / 2), Math.min(TEXT_MINIMUM, remaining.text), 0)
  if (isWithin(allowed, text)) {
    remaining.text -= bytesOf(text)
    return text
  }
  remaining.text -= allowed
  return firstBytes(text, allowed)
}

function firstBytes(text: string, allowed: number): string {
  const read = charactersIn(text, allowed)
  return text.slice(0, read) + truncated(`${text.length - read} more characters`)
}

/** Returns how many whole characters of a text fit into `bytes`. */
export function charactersIn(text: string, bytes: number): number {
  return new TextEncoder().encodeInto(text.slice(0, bytes), new Uint8Array(bytes)).read
}

export function truncated(what: string): string {
  return `[truncated by svc: ${what}]`
}
