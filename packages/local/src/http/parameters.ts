import * as v from 'valibot'
import { type Entries, type FieldsOf, finite, readFields, type Schema, text, word } from './fields.ts'

/** The parameters of a query; others are left out. @throws Refusal 400 with an issue for each that does not fit. */
export const readParameters = <E extends Entries>(query: URLSearchParams, entries: E): FieldsOf<E> =>
  readFields(valuesOf(query, entries), entries)

/** Returns all values of each parameter: a URL may have it more than once. */
const valuesOf = (query: URLSearchParams, entries: Entries) =>
  Object.fromEntries(Object.keys(entries).map((name) => [name, query.getAll(name)]))

/** All values as they are. */
export const values = v.custom<readonly string[]>(() => true)
const first = v.pipe(
  values,
  v.transform(([value]): unknown => value || undefined),
)

/** A parameter of which the first value counts. Empty, it counts as left out. */
export const one = <T>(schema: Schema<T>): Schema<T | undefined> => v.pipe(first, v.optional(schema))
/** {@link one} that is `otherwise` when it is left out. */
export const oneOr = <T>(schema: Schema<T>, otherwise: T): Schema<T> =>
  v.pipe(
    one(schema),
    v.transform((value) => value ?? otherwise),
  )
/** {@link one} that may not be left out. */
export const required = <T>(schema: Schema<T>, message: string): Schema<T> => v.pipe(first, v.string(message), schema)
/** SQLite has a limit for the depth of a condition. */
const MOST_VALUES = 100
/** Each value of a parameter, without empty ones. */
export const each = <T>(schema: Schema<T>): Schema<T[]> =>
  v.pipe(
    values,
    v.transform((all): unknown => all.filter((value) => value !== '')),
    v.array(schema),
    v.maxLength(MOST_VALUES, `expected at most ${MOST_VALUES} values`),
  )
/** The parts of a comma list, also of several. */
export const list = <T>(schema: Schema<T>): Schema<T[]> =>
  v.pipe(
    values,
    v.transform((all): unknown => all.flatMap(partsOf)),
    v.array(schema),
  )
/** A comma list of field groups, in the order of `known`; `otherwise` when it is empty. */
export const groups = <const T extends string>(known: readonly T[], otherwise: readonly T[]): Schema<readonly T[]> =>
  v.pipe(
    first,
    v.optional(v.string(), ''),
    v.transform((value): unknown => partsOf(value).map((part) => part.trim())),
    v.array(v.picklist(known, ({ input }) => `unknown field group ${input}, expected ${known.join(', ')}`)),
    v.transform((given) => (given.length === 0 ? otherwise : known.filter((group) => given.includes(group)))),
  )
/** The number of rows to skip. Anything but a number counts as 0. */
export const offset: Schema<number> = v.pipe(
  first,
  v.transform((value) => Math.min(Math.max(0, Math.trunc(Number(value)) || 0), Number.MAX_SAFE_INTEGER)),
)

const asNumber = v.pipe(text, v.transform(Number))
export const numeric = v.pipe(asNumber, finite)
export function wholeTo(max: number): Schema<number> {
  const message = `expected a whole number from 1 to ${max}`
  return v.pipe(asNumber, v.integer(message), v.minValue(1, message), v.maxValue(max, message))
}
export const truth: Schema<boolean> = v.pipe(
  word(['true', 'false']),
  v.transform((value) => value === 'true'),
)
/** One of `words`, which are in capitals, in capitals or not. */
export const capitals = <const T extends string>(words: readonly T[]) => v.pipe(text, v.toUpperCase(), word(words))
/** Text without spaces around it. */
export const trimmed = v.pipe(text, v.trim())
/** The value of JSON text. */
export const json = v.pipe(text, v.parseJson({}, 'expected JSON'))

const partsOf = (value: string) => value.split(',').filter((part) => part !== '')
