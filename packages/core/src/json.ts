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
  // Most metadata. For a replacer V8 leaves its fast path.
  if (typeof value === 'string' && value.length < MOST) return JSON.stringify(value)
  try {
    left = MOST
    return JSON.stringify(value, replacer)
  } catch {
    return failed
  }
}

const DEEPEST = 500
/** Characters, with 20 for each value: two million values. What has a part at many places may have no end. */
const MOST = 40_000_000
/** Of them, for the value that is being written. */
let left = MOST

function isTooMuch(value: unknown): boolean {
  left -= typeof value === 'string' ? 20 + value.length : 20
  return left < 0
}

/**
 * Serializes what the API stores as JSON: scores, dataset items, metadata. Errors, maps, sets and numbers are written as
 * {@link toText} does, and bytes as lists. A cycle, a getter or `toJSON` that throws, levels beyond 500, and what is too
 * large cost their own place only: `[Circular]`, `[Throws: …]`, `[Truncated]`.
 *
 * @returns undefined for undefined, functions and symbols; never throws.
 */
export function toJson(value: unknown): string | undefined {
  try {
    left = MOST
    return JSON.stringify(value, withContent)
  } catch {
    left = MOST
    return JSON.stringify(withoutTraps(value, []))
  }
}

function withoutTraps(value: unknown, ancestors: readonly unknown[]): unknown {
  if (isTooMuch(value)) return '[Truncated]'
  if (typeof value !== 'object' || value === null) return tolerant('', value)
  if (ancestors.includes(value)) return '[Circular]'
  if (ancestors.length === DEEPEST) return '[Truncated]'
  const above = [...ancestors, value]
  return readOr(() => {
    const plain = plainOf(value, contentOf)
    if (typeof plain !== 'object' || plain === null) return withoutTraps(plain, above)
    const kept: [string, unknown][] = []
    const names = Array.isArray(plain) ? plain.keys() : Object.keys(plain)
    for (const name of names) {
      kept.push([String(name), withoutTraps(fieldAt(plain, name), above)])
      if (left < 0) break
    }
    return Array.isArray(plain) ? kept.map(([, each]) => each) : Object.fromEntries(kept)
  })
}

/** Returns a field of any object; `[Throws: …]` where reading it throws. */
export function fieldAt(owner: object, key: PropertyKey): unknown {
  return readOr(() => Reflect.get(owner, key))
}

/** Returns a copy of the fields of any object, as {@link fieldAt} reads them; undefined where there is no list of them. */
export function fieldsOf(owner: object): Record<string, unknown> | undefined {
  try {
    return Object.fromEntries(Object.keys(owner).map((key) => [key, fieldAt(owner, key)]))
  } catch {
    return undefined
  }
}

function readOr(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    const message = valueAt(Object(error), 'message')
    return `[Throws: ${typeof message === 'string' ? message.slice(0, PROPAGATED_LIMIT) : typeof error}]`
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
  if (isTooMuch(value)) throw new RangeError('too large')
  return typeof value === 'object' && value !== null ? contentOf(value) : tolerant(key, value)
}

/** The same as {@link asPlain}, with bytes as lists; blobs and streams cannot be read at once. */
function contentOf(value: object): unknown {
  const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : ArrayBuffer.isView(value) ? value : undefined
  if (!bytes) return placeholderOf(value) ?? asPlain(value)
  return Array.from((bytes instanceof DataView ? new Uint8Array(bytes.buffer) : bytes) as Uint8Array)
}

function readable(this: unknown, key: string, value: unknown): unknown {
  if (isTooMuch(value)) throw new RangeError('too large')
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

/** Returns what JSON writes of an object, with the content of what JSON writes as `{}`. Throws if its `toJSON` does. */
export function plainOf(value: object, otherwise: (value: object) => unknown = asPlain): unknown {
  return 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON('') : otherwise(value)
}

/** Returns the placeholder of bytes, blobs and streams: `[Buffer: 10485760 bytes]`; undefined for anything else. */
export function placeholderOf(value: unknown): string | undefined {
  if (Object(value) !== value) return undefined
  try {
    // Most values are neither, and three questions are dearer than one.
    if (!isPlain(value as object)) {
      if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
        return `[${typeOf(value)}: ${value.byteLength} bytes]`
      if (globalThis.Blob && value instanceof Blob) return `[${typeOf(value)}: ${value.size} bytes]`
    }
    const { pipe, pipeTo } = value as { pipe?: unknown; pipeTo?: unknown }
    return typeof pipe === 'function' || typeof pipeTo === 'function' ? `[${typeOf(value)}]` : undefined
  } catch {
    return undefined
  }
}

const typeOf = (value: unknown): string => (value as object).constructor?.name || 'Object'

/**
 * Returns the content of an object that JSON writes as `{}`: name, message, cause and fields of an error, the entries of a
 * map, the values of a set, the text of a pattern. Any other object is returned unchanged.
 */
function asPlain(value: object): unknown {
  if (ON_SERVER && isPlain(value)) return value
  if (value instanceof Error) {
    const names = ['name', 'message', ...['cause', 'errors'].filter((name) => name in value), ...Object.keys(value)]
    return Object.fromEntries(names.map((name) => [name, fieldAt(value, name)]))
  }
  if (value instanceof Set) return [...value]
  if (value instanceof RegExp || isA(value, 'URLSearchParams')) return String(value)
  if (isA(value, 'Request')) return { method: fieldAt(value, 'method'), url: fieldAt(value, 'url') }
  if (isA(value, 'Response')) return { status: fieldAt(value, 'status'), url: fieldAt(value, 'url') }
  const isHeaders = isA(value, 'Headers')
  if (!(isHeaders || value instanceof Map || isA(value, 'FormData'))) return value
  const entries = [...(value as Iterable<readonly [unknown, unknown]>)].map(([key, each]) =>
    isHeaders && SECRET.test(key as string) ? [key, '(hidden)'] : [key, each],
  )
  const keys = new Set(entries.map(([key]) => (typeof key === 'string' ? key : undefined)))
  return keys.has(undefined) || keys.size < entries.length ? entries : Object.fromEntries(entries)
}

/** Whether it is an instance of a class that a runtime, or a runner of tests, may lack. */
function isA(value: object, name: 'FormData' | 'Headers' | 'Request' | 'Response' | 'URLSearchParams'): boolean {
  const type = globalThis[name] as unknown
  return typeof type === 'function' && value instanceof type
}

/** Headers that are, or hold, a key. */
const SECRET = /authorization|cookie|key|token|secret|signature/

/** Whether it is an object literal or an array, as most values are. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype
}
