import { own } from '@svc/core/own'
import * as v from 'valibot'
import { Checks, type Issue, ValidationError } from './checks.ts'

/** Says what a value of a request has to be. */
export type Schema<T> = v.GenericSchema<unknown, T>
export type Entries = Readonly<Record<string, Schema<unknown>>>
/** The fields of a request that fits. */
export type FieldsOf<E extends Entries> = { readonly [K in keyof E]: v.InferOutput<E[K]> }

/** The fields of a JSON object; others are left out. @throws Refusal 400 with an issue for each that does not fit. */
export function readFields<E extends Entries>(body: unknown, entries: E): FieldsOf<E> {
  const checks = new Checks()
  const fields = attemptFields(body, entries, checks)
  checks.finish()
  return fields
}

/** {@link readFields} that leaves what does not fit to `checks`. */
export function attemptFields<E extends Entries>(body: unknown, entries: E, checks: Checks): FieldsOf<E> {
  const result = v.safeParse(objectOf(entries), body)
  const issues = new Map<string | undefined, Issue>()
  for (const { path = [], message } of result.issues ?? []) {
    const [field, ...inside] = path.map(({ key }) => String(key))
    // One issue a field is enough.
    if (issues.has(field)) continue
    issues.set(field, { path: field === undefined ? [] : [field], message: [...inside, message].join(': ') })
  }
  checks.issues.push(...issues.values())
  return (result.success ? result.output : {}) as FieldsOf<E>
}

export const anything = v.unknown()
export const text = v.string('expected a text')
export const name = v.pipe(
  v.string('expected a text that is not empty'),
  v.nonEmpty('expected a text that is not empty'),
)
export const finite = v.pipe(v.number('expected a number'), v.finite('expected a number'))
export const whole = v.pipe(v.number('expected a whole number'), v.safeInteger('expected a whole number'))
export const flag = v.boolean('expected true or false')
export const record = v.custom<Readonly<Record<string, unknown>>>(
  (raw) => typeof raw === 'object' && raw !== null && !Array.isArray(raw),
  'expected a JSON object',
)
export const texts = v.pipe(
  v.array(v.unknown(), 'expected a list of texts'),
  v.check((list) => list.every((item) => typeof item === 'string'), 'expected a list of texts'),
  v.transform((list) => list as string[]),
)
/** ISO text as milliseconds since 1970. */
export const date = v.pipe(
  v.unknown(),
  v.transform((raw) => (typeof raw === 'string' ? Date.parse(raw) : Number.NaN)),
  v.number('expected a date, such as 2026-01-31T12:00:00Z'),
)
export const word = <const T extends string>(words: readonly T[]) => v.picklist(words, `expected ${words.join(', ')}`)
/** The value may be left out; null counts as left out. */
export const optional = <T>(schema: Schema<T>): Schema<T | undefined> =>
  v.pipe(
    v.nullish(schema),
    v.transform((value) => value ?? undefined),
  )
export const listOf = <T>(schema: Schema<T>) => v.array(schema, 'expected a list')
/** The fields of an object inside the body. A field that is not there is undefined. */
export const objectOf = <E extends Entries>(entries: E): Schema<FieldsOf<E>> =>
  v.pipe(
    record,
    v.transform((raw) => Object.fromEntries(Object.keys(entries).map((key) => [key, own(raw, key)]))),
    v.object(entries),
  ) as unknown as Schema<FieldsOf<E>>
/** @param parse throws {@link ValidationError} when a value does not fit. */
export const parsedBy = <T>(parse: (raw: unknown) => T): Schema<T> =>
  v.pipe(
    v.unknown(),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      try {
        return parse(dataset.value)
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error
        addIssue({ message: error.message })
        return NEVER
      }
    }),
  )
