import { badRequest, Refusal } from '../http/answer.ts'
import type { BodyLimits } from '../http/body.ts'
import { Checks, Unfit } from '../http/checks.ts'
import type { Call } from '../http/router.ts'
import { isTooDeep } from '../json-text.ts'

const MEBIBYTE = 1024 * 1024
/** Most that a JSON body may have (contract 5.1). */
export const JSON_LIMITS: BodyLimits = { wire: 4.5 * MEBIBYTE, decoded: 4.5 * MEBIBYTE }

/** The JSON of a request. @throws Refusal 400 when it is none, or nested too deep to be written again; 413. */
export async function jsonBody(call: Call): Promise<unknown> {
  const text = (await call.body(JSON_LIMITS)).toString('utf8')
  if (isTooDeep(text)) throw new Refusal(400, 'The JSON of the body is nested too deep')
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw badRequest([{ path: [], message: `the body is not JSON: ${why}` }])
  }
}

/** Reads one value of a body. @throws Unfit */
export type Reader<T> = (raw: unknown) => T
type Shape<T> = { readonly [K in keyof T]: Reader<T[K]> }

/** The fields of a JSON object; fields that nobody asks for are left out. @throws Refusal 400 with every issue. */
export function readFields<T extends object>(body: unknown, shape: Shape<T>): T {
  const checks = new Checks()
  const fields = attemptFields(body, shape, checks)
  checks.finish()
  return fields
}

/** {@link readFields} that leaves what does not fit to `checks`. */
export function attemptFields<T extends object>(body: unknown, shape: Shape<T>, checks: Checks): T {
  const object = checks.attempt<Readonly<Record<string, unknown>>>('', () => record(body), {})
  const readers = Object.entries<Reader<unknown>>(shape)
  return Object.fromEntries(
    readers.map(([name, read]) => [name, checks.attempt(name, () => read(object[name]), undefined)]),
  ) as T
}

/** What may be left out; null counts as left out. */
export const optional =
  <T>(read: Reader<T>): Reader<T | undefined> =>
  (raw) =>
    raw === undefined || raw === null ? undefined : read(raw)

export const anything: Reader<unknown> = (raw) => raw
export const text: Reader<string> = (raw) => (typeof raw === 'string' ? raw : fail('expected a text'))
export const name: Reader<string> = (raw) =>
  typeof raw === 'string' && raw !== '' ? raw : fail('expected a text that is not empty')
export const whole: Reader<number> = (raw) =>
  typeof raw === 'number' && Number.isSafeInteger(raw) ? raw : fail('expected a whole number')
export const record: Reader<Readonly<Record<string, unknown>>> = (raw) =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw)
    ? (raw as Record<string, unknown>)
    : fail('expected a JSON object')
export const texts: Reader<string[]> = (raw) =>
  Array.isArray(raw) && raw.every((item) => typeof item === 'string') ? raw : fail('expected a list of texts')
export const word =
  <const T extends string>(words: readonly T[]): Reader<T> =>
  (raw) =>
    words.find((word) => word === raw) ?? fail(`expected ${words.join(', ')}`)
export const flag: Reader<boolean> = (raw) => (typeof raw === 'boolean' ? raw : fail('expected true or false'))
export const finite: Reader<number> = (raw) =>
  typeof raw === 'number' && Number.isFinite(raw) ? raw : fail('expected a number')
export const listOf =
  <T>(read: Reader<T>): Reader<T[]> =>
  (raw) =>
    Array.isArray(raw) ? raw.map((item, at) => within(String(at), () => read(item))) : fail('expected a list')
/** The fields of an object inside the body. */
export const objectOf =
  <T extends object>(shape: Shape<T>): Reader<T> =>
  (raw) => {
    const object = record(raw)
    const fields = Object.entries<Reader<unknown>>(shape)
    return Object.fromEntries(fields.map(([name, read]) => [name, within(name, () => read(object[name]))])) as T
  }
/** ISO text as milliseconds since 1970. */
export const date: Reader<number> = (raw) => {
  const time = typeof raw === 'string' ? Date.parse(raw) : Number.NaN
  return Number.isNaN(time) ? fail('expected a date, such as 2026-01-31T12:00:00Z') : time
}

function within<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof Unfit ? new Unfit(`${name}: ${error.message}`) : error
  }
}

function fail(message: string): never {
  throw new Unfit(message)
}
