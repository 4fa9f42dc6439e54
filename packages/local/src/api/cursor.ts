import * as v from 'valibot'
import type { Schema } from '../http/fields.ts'
import { one } from '../http/parameters.ts'
import { decoded } from '../json-text.ts'

/** The values that a listing is ordered by, in one of its rows. */
export type CursorPosition = readonly (string | number)[]

/** An opaque cursor for a position in a listing. */
export const cursorAt = (position: CursorPosition): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url')

/** A cursor parameter: the position that it encodes, with values like `parts`. */
export const cursor = (...parts: Schema<string | number>[]): Schema<CursorPosition | undefined> =>
  one(
    v.pipe(
      v.string(),
      v.transform((value) => decoded(Buffer.from(value, 'base64url').toString('utf8'))),
      v.custom<CursorPosition>((position) => v.is(v.strictTuple(parts), position), 'not a cursor of this listing'),
    ),
  )
