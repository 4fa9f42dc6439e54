import * as v from 'valibot'
import { date, type FieldsOf, type Schema, text } from '../../http/fields.ts'
import { groups, list, oneOr, readParameters, required, wholeTo } from '../../http/parameters.ts'
import { type Clause, oneOf } from '../../store/rows.ts'
import { cursor } from '../cursor.ts'
import { filterOf } from '../observations/condition.ts'
import type { FilterColumn } from '../observations/filter-columns.ts'

/** A listing of experiments, or of their items. */
export interface Listing<Group extends string> {
  /** Columns that `filter` may name. */
  readonly columns: Readonly<Record<string, FilterColumn>>
  /** Comma lists, each with the column they are for. */
  readonly lists: Readonly<Record<string, string>>
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
  const names = Object.keys(listing.lists)
  const lists = readParameters(query, Object.fromEntries(names.map((name) => [name, list(text)])))
  const chosen = Object.entries(listing.lists).flatMap(([name, column]) => {
    const values = lists[name] ?? []
    return values.length > 0 ? [oneOf(column, values)] : []
  })
  return { ...fields, after, where: [...chosen, ...filter] }
}
