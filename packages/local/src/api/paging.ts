import { type Answer, json } from '../http/answer.ts'
import { oneOr, readParameters, wholeTo } from '../http/parameters.ts'
import type { Clause, Rows } from '../store/rows.ts'

/** The requested page of a listing. */
interface Page {
  /** The first page is 1. */
  readonly page: number
  readonly limit: number
}

/** The parameters of a listing in pages, beside its own. */
export const PAGE_PARAMETERS = { page: oneOr(wholeTo(1_000_000), 1), limit: oneOr(wholeTo(100), 50) }

/** `page` and `limit` of a query that has no others. */
export const readPage = (query: URLSearchParams): Page => readParameters(query, PAGE_PARAMETERS)

/** One page of the rows that fit a condition, each in the shape of the API, and how many fit. */
export function listPage<Row extends object>(
  rows: Rows<Row>,
  { sql, values }: Clause,
  { page, limit }: Page,
  shape: (row: Row) => unknown,
  order = 'seq',
): Answer {
  const where = `WHERE ${sql}`
  const found = { sql: `${where} ORDER BY ${order} LIMIT ? OFFSET ?`, values: [...values, limit, (page - 1) * limit] }
  return pageAnswer(rows.find(found).map(shape), { page, limit }, rows.count({ sql: where, values }))
}

/** {@link listPage} of rows that are in memory. */
export function slicePage<Row>(rows: readonly Row[], { page, limit }: Page, shape: (row: Row) => unknown): Answer {
  return pageAnswer(rows.slice((page - 1) * limit, page * limit).map(shape), { page, limit }, rows.length)
}

/** With `MetaResponse` (appendix A). */
const pageAnswer = (data: readonly unknown[], { page, limit }: Page, totalItems: number): Answer =>
  json(200, { data, meta: { page, limit, totalItems, totalPages: Math.ceil(totalItems / limit) } })
