import { isFields } from '@svc/core/json'
import { Failure } from '../../failure.ts'
import type { DatasetRow } from './row.ts'

/**
 * Parses a page in a response, in snake case with the rows under `key`, or in camel case with `data`. There is a next
 * page if `has_more` is true and there is a cursor.
 *
 * @throws {Failure} if it is not a page
 */
export function pageOf(answer: unknown, key: string, what: string): { rows: DatasetRow[]; next: string | undefined } {
  const page = isFields(answer) ? answer : {}
  const rows = page[key] ?? page.data
  if (!Array.isArray(rows) || !rows.every(isFields))
    throw new Failure(
      `the source returned an invalid page for ${what}: expected a list of objects as "${key}" or "data".`,
    )
  const pagination = isFields(page.pagination) ? page.pagination : {}
  const more = pagination.has_more ?? pagination.hasMore
  const next = pagination.next_cursor ?? pagination.nextCursor
  return { rows, next: more === true && typeof next === 'string' && next !== '' ? next : undefined }
}
