import { oneOr, readParameters, wholeTo } from '../http/parameters.ts'
import type { Clause, Rows } from '../store/rows.ts'

/** The requested page of a listing. */
export interface Page {
  /** The first page is 1. */
  readonly page: number
  readonly limit: number
}

/** The parameters of a listing in pages, beside its own. */
export const PAGE_PARAMETERS = { page: oneOr(wholeTo(1_000_000), 1), limit: oneOr(wholeTo(100), 50) }

/** `page` and `limit` of a query that has no others. */
export const readPage = (query: URLSearchParams): Page => readParameters(query, PAGE_PARAMETERS)

/** `MetaResponse` (appendix A). */
export const pageMeta = ({ page, limit }: Page, totalItems: number) => ({
  page,
  limit,
  totalItems,
  totalPages: Math.ceil(totalItems / limit),
})

/** One page of the rows that fit a condition, and how many fit. */
export function pageOf<Row extends object>(
  rows: Rows<Row>,
  { sql, values }: Clause,
  { page, limit }: Page,
  order = 'seq',
) {
  const found = { sql: `${sql} ORDER BY ${order} LIMIT ? OFFSET ?`, values: [...values, limit, (page - 1) * limit] }
  return { data: rows.find(found), meta: pageMeta({ page, limit }, rows.count({ sql, values })) }
}
