export { isMethod, type Method } from '@svc/core/override-method'

/**
 * Reads values of unknown shape: libraries promise nothing about what they pass. The most frequent functions, `asRecord`
 * and `asName`, run some 15 times for every model call and therefore call no other one.
 */

export type Fields = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return isObject(value) && typeof value.then === 'function'
}

/** Returns an object as it is, and an empty object for anything else. */
export function asRecord(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

/** Returns an array as it is, undefined and null as an empty array, and anything else as an array of itself. */
export function asArray(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return value === undefined || value === null ? [] : [value]
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Maximum length of a name. Models, ids and the like are short unless the input is malicious. */
const NAME_LIMIT = 1_000

/** Returns a string, shortened to the maximum length of a name. */
export function asName(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, NAME_LIMIT) : undefined
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Returns the object without its undefined fields. */
export function defined<T extends Fields>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  // Called several times for every model call: a loop is the fastest.
  const result: Record<string, unknown> = {}
  for (const key of Object.keys(fields)) if (fields[key] !== undefined) result[key] = fields[key]
  return result as { [K in keyof T]: Exclude<T[K], undefined> }
}

/**
 * Returns the export called `name`, or else the default export, or else the exports themselves: `require` of some
 * packages gives the class.
 */
export function exportOf(exports: unknown, name: string): unknown {
  if ((typeof exports !== 'object' && typeof exports !== 'function') || exports === null) return undefined
  const { [name]: named, default: main } = exports as Readonly<Record<string, unknown>>
  return named ?? main ?? exports
}
