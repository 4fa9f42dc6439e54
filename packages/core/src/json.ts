import { ON_SERVER } from '@svc/core/on-server'

export { isFields } from './is-fields.ts'

/** Written in place of a value that cannot be serialized (a cycle, a getter that throws, too many levels). */
export const FAILED_TO_SERIALIZE = '<failed to serialize>'

/** Longest propagated value, in UTF-16 units; for metadata it applies to the JSON text (contract 2.5). */
export const PROPAGATED_LIMIT = 200

/**
 * Maximum number of propagated metadata keys. Each becomes an attribute of every span below, and a span may have 128 by
 * default: half of them are reserved for the span itself (contract 2.3, the attribute-count rule).
 */
export const PROPAGATED_METADATA_KEYS = 64

/**
 * Serializes input and output (contract 2.3): a string unchanged, anything else as JSON, bytes and streams as a
 * placeholder.
 *
 * @returns undefined for null and undefined; never throws.
 */
export function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : (placeholderOf(value) ?? serialized(value, FAILED_TO_SERIALIZE))
}

/** The same with all bytes in it, to tell values apart. */
export function toExactText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : serialized(value, FAILED_TO_SERIALIZE, withContent)
}

/**
 * Serializes metadata (contract 2.3): always as JSON, strings included, so that `"3"` and `3` stay different.
 *
 * @returns undefined for null, undefined, functions and symbols; never throws.
 */
export function toMetadataText(value: unknown): string | undefined {
  return serialized(value, FAILED_METADATA)
}

/** Metadata that cannot be serialized. */
export const FAILED_METADATA = JSON.stringify(FAILED_TO_SERIALIZE)

function serialized(value: unknown, failed: string, replacer = readable): string | undefined {
  if (value === undefined || value === null) return undefined
  try {
    return JSON.stringify(value, replacer)
  } catch {
    return failed
  }
}

const DEEPEST = 500

/**
 * Serializes what the API stores as JSON: scores, dataset items, metadata. Errors, maps, sets and numbers are written as
 * {@link toText} does. A cycle, a getter or `toJSON` that throws, and levels beyond 500 cost their own place only:
 * `[Circular]`, `[Throws: …]`, `[Truncated]`.
 *
 * @returns undefined for undefined, functions and symbols; never throws.
 */
export function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, withContent)
  } catch {
    return JSON.stringify(withoutTraps(value, []))
  }
}

function withoutTraps(value: unknown, ancestors: readonly unknown[]): unknown {
  if (typeof value !== 'object' || value === null) return tolerant('', value)
  if (ancestors.includes(value)) return '[Circular]'
  if (ancestors.length === DEEPEST) return '[Truncated]'
  const plain = readOr(() => plainOf(value))
  const above = [...ancestors, value]
  if (typeof plain !== 'object' || plain === null) return withoutTraps(plain, above)
  if (Array.isArray(plain)) return plain.map((_, at) => withoutTraps(fieldAt(plain, at), above))
  return Object.fromEntries(Object.keys(plain).map((key) => [key, withoutTraps(fieldAt(plain, key), above)]))
}

/** Returns a field of any object; `[Throws: …]` where reading it throws. */
export function fieldAt(owner: object, key: PropertyKey): unknown {
  return readOr(() => Reflect.get(owner, key))
}

function readOr(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    return `[Throws: ${String(valueAt(Object(error), 'message') ?? typeof error)}]`
  }
}

/** Undoes {@link toMetadataText}. Text that is not JSON (written by other libraries) is returned unchanged. */
export function fromMetadataText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Reads JSON text; undefined if it is not JSON. */
export function parsedJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text as string)
  } catch {
    return undefined
  }
}

function withContent(this: unknown, key: string, value: unknown): unknown {
  return typeof value === 'object' && value !== null ? asPlain(value) : tolerant(key, value)
}

function readable(this: unknown, key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return tolerant(key, value)
  if (!ON_SERVER || !isPlain(value)) return placeholderOf(value) ?? asPlain(value)
  // The `toJSON` of a Buffer is called before this.
  const isBuffer = (value as { type?: unknown }).type === 'Buffer'
  return isBuffer ? (placeholderOf(valueAt(this as object, key)) ?? value) : value
}

/**
 * Replacer for values that JSON does not have: a bigint becomes a number if that is exact, else its digits; NaN and
 * infinities become strings.
 */
export function tolerant(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') {
    const exact = value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
    return exact ? Number(value) : value.toString()
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return value
}

/** Returns a field of any object; {@link FAILED_TO_SERIALIZE} where reading it throws. */
export function valueAt(owner: object, key: PropertyKey): unknown {
  try {
    return Reflect.get(owner, key)
  } catch {
    return FAILED_TO_SERIALIZE
  }
}

/** Returns what JSON writes of an object, with the content of errors, maps and sets. Throws if its `toJSON` does. */
export function plainOf(value: object): unknown {
  return 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON('') : asPlain(value)
}

/** Returns the placeholder of bytes, blobs and streams: `[Buffer: 10485760 bytes]`; undefined for anything else. */
export function placeholderOf(value: unknown): string | undefined {
  if (Object(value) !== value) return undefined
  try {
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
      return `[${typeOf(value)}: ${value.byteLength} bytes]`
    if (globalThis.Blob && value instanceof Blob) return `[${typeOf(value)}: ${value.size} bytes]`
    const { pipe, pipeTo } = value as { pipe?: unknown; pipeTo?: unknown }
    return typeof pipe === 'function' || typeof pipeTo === 'function' ? `[${typeOf(value)}]` : undefined
  } catch {
    return undefined
  }
}

const typeOf = (value: unknown): string => (value as object).constructor?.name || 'Object'

/**
 * Returns the content of an object that JSON writes as `{}`: name and message of an error (and its other fields), the
 * entries of a map, the values of a set. Any other object is returned unchanged.
 */
function asPlain(value: object): object {
  if (ON_SERVER && isPlain(value)) return value
  if (value instanceof Error) return { name: value.name, message: value.message, ...(value as object) }
  if (value instanceof Set) return [...value]
  if (!(value instanceof Map)) return value
  const entries = [...value]
  return entries.every(([key]) => typeof key === 'string') ? Object.fromEntries(entries) : entries
}

/** Whether it is an object literal or an array, as most values are. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype
}
