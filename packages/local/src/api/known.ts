import { notFound } from '../http/answer.ts'
import type { Rows } from '../store/rows.ts'

/** The row with an id. @throws Refusal 404 */
export function known<Row extends { readonly id: string }>(rows: Rows<Row>, id: string | undefined, what: string): Row {
  const row = rows.find({ sql: 'WHERE id = ? LIMIT 1', values: [id ?? ''] })[0]
  if (!row) throw notFound(`${what} not found: '${id}'`)
  return row
}

/** Milliseconds since 1970 as ISO 8601 text. */
export const isoDate = (ms: number): string => new Date(ms).toISOString()
