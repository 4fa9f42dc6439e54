import * as v from 'valibot'
import { date, type FieldsOf, type Schema, text } from '../../http/fields.ts'
import { groups, list, oneOr, readParameters, required, wholeTo } from '../../http/parameters.ts'
import type { ReadStore } from '../../store/read-store.ts'
import { type Clause, oneOf } from '../../store/rows.ts'
import { cursor } from '../cursor.ts'
import { filterOf } from '../observations/condition.ts'
import type { FilterColumn } from '../observations/filter-columns.ts'
import { scoreShape } from '../scores/shape.ts'

export interface Listing<Group extends string> {
  /** Columns that `filter` may name, and that have a parameter with a comma list of values. */
  readonly columns: Readonly<Record<string, FilterColumn>>
  readonly groups: readonly Group[]
  readonly defaultGroups: readonly Group[]
  /** Values like those of its cursor. */
  readonly position: readonly Schema<string | number>[]
}

/** The year 2255, beyond which no span is stored. */
const LAST = 9e12
const micros = (ms: number) => ms * 1_000

/** The parameters of a listing. Times are microseconds since 1970. */
const parametersOf = <Group extends string>({ columns, groups: known, defaultGroups, position }: Listing<Group>) => ({
  filter: filterOf(columns),
  fromStartTime: v.pipe(required(date, 'is required: from when on experiments are listed'), v.transform(micros)),
  toStartTime: v.pipe(oneOr(date, LAST), v.transform(micros)),
  fields: groups(known, defaultGroups),
  limit: oneOr(wholeTo(100), 50),
  scoreLimit: oneOr(wholeTo(50), 50),
  cursor: cursor(...position),
})

/** A validated query. */
export interface ListingQuery<Group extends string>
  extends Omit<FieldsOf<ReturnType<typeof parametersOf<Group>>>, 'filter' | 'cursor'> {
  readonly after: FieldsOf<ReturnType<typeof parametersOf<Group>>>['cursor']
  readonly where: readonly Clause[]
}

/** Checks a query as a whole. @throws Refusal 400 with one issue for every parameter that does not fit. */
export function readListing<Group extends string>(
  query: URLSearchParams,
  listing: Listing<Group>,
): ListingQuery<Group> {
  const { filter = [], cursor: after, ...fields } = readParameters(query, parametersOf(listing))
  const columns = Object.entries(listing.columns)
  const lists = readParameters(query, Object.fromEntries(columns.map(([name]) => [name, list(text)])))
  const chosen = columns.flatMap(([name, { sql }]) => {
    const values = lists[name] ?? []
    return values.length > 0 ? [oneOf(sql, values)] : []
  })
  return { ...fields, after, where: [...chosen, ...filter] }
}

/** The newest scores of an experiment, or of the trace of an item. */
export function scoresOf(subject: 'datasetRunId' | 'traceId', id: string, limit: number, { scores }: ReadStore) {
  return scores
    .find({ sql: `WHERE ${subject} = ? ORDER BY timestamp DESC, id DESC LIMIT ?`, values: [id, limit] })
    .map((score) => scoreShape(score, ['details', 'subject']))
}
