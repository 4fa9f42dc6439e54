import * as v from 'valibot'
import type { Schema } from '../http/fields.ts'
import { one } from '../http/parameters.ts'
import { decoded } from '../json-text.ts'
import { allOf, type Clause } from '../store/rows.ts'

/** The values that a listing is ordered by, in one of its rows. */
type CursorPosition = readonly (string | number)[]

/** A cursor parameter: the position that it encodes, with values like `parts`. */
export const cursor = (...parts: Schema<string | number>[]): Schema<CursorPosition | undefined> =>
  one(
    v.pipe(
      v.string(),
      v.transform((value) => decoded(Buffer.from(value, 'base64url').toString('utf8'))),
      v.custom<CursorPosition>((position) => v.is(v.strictTuple(parts), position), 'not a cursor of this listing'),
    ),
  )

interface Listing<Row> {
  readonly where: readonly Clause[]
  /** Columns that it is ordered by, the largest values first. No two rows have the same. */
  readonly by: readonly (keyof Row & string)[]
  readonly after: CursorPosition | undefined
  readonly limit: number
}

/** The rows of a listing after a cursor, and the opaque cursor of the next page when there is one. */
export function cursorPage<Row extends object>(
  { where, by, after, limit }: Listing<Row>,
  find: (clause: Clause) => Row[],
) {
  const position = { sql: `(${by.join(', ')}) < (${by.map(() => '?').join(', ')})`, values: after ?? [] }
  const { sql, values } = allOf(after ? [...where, position] : where)
  const order = by.map((column) => `${column} DESC`).join(', ')
  // One more row than the limit: it shows whether there is a next page.
  const found = find({ sql: `WHERE ${sql} ORDER BY ${order} LIMIT ?`, values: [...values, limit + 1] })
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  return { rows, next: last ? { cursor: encoded(by.map((column) => last[column])) } : {} }
}

const encoded = (position: readonly unknown[]): string => Buffer.from(JSON.stringify(position)).toString('base64url')
