import * as v from 'valibot'
import { date, type FieldsOf, type Schema, text, whole, word } from '../../http/fields.ts'
import { groups, one, oneOr, readParameters, truth, values, wholeTo } from '../../http/parameters.ts'
import { LEVELS } from '../../store/observation.ts'
import type { Clause } from '../../store/rows.ts'
import { cursor } from '../cursor.ts'
import { type Condition, clauseOf, filterOf } from './condition.ts'
import { FIELD_GROUPS, type FieldGroup } from './observation-shape.ts'

/** A validated query of `GET /v2/observations`. */
export interface ObservationQuery {
  readonly where: readonly Clause[]
  readonly after: FieldsOf<typeof PARAMETERS>['cursor']
  readonly groups: readonly FieldGroup[]
  readonly limit: number
  readonly parseIo: boolean
}

const GROUPS = Object.keys(FIELD_GROUPS) as FieldGroup[]

const equal =
  (column: string) =>
  (value: string): Condition => ({ type: 'string', column, operator: '=', value })
const is = (column: string, schema: Schema<string> = text) => one(v.pipe(schema, v.transform(equal(column))))
const started = (operator: string) =>
  one(
    v.pipe(
      date,
      v.transform((ms) => ({ type: 'datetime', column: 'startTime', operator, value: new Date(ms).toISOString() })),
    ),
  )

/** Single query parameters, each as the condition it stands for. */
const SIMPLE = {
  name: is('name'),
  userId: is('userId'),
  sessionId: is('sessionId'),
  traceId: is('traceId'),
  parentObservationId: is('parentObservationId'),
  version: is('version'),
  type: is('type', v.pipe(text, v.toUpperCase())),
  level: is('level', word(LEVELS)),
  environment: v.pipe(
    values,
    v.transform((all): Condition | undefined =>
      all[0] ? { type: 'stringOptions', column: 'environment', operator: 'any of', value: all } : undefined,
    ),
  ),
  fromStartTime: started('>='),
  toStartTime: started('<'),
  isRootObservation: one(
    v.pipe(
      truth,
      v.transform((value) => ({ type: 'boolean', column: 'isRootObservation', operator: '=', value })),
    ),
  ),
}

const PARAMETERS = {
  ...SIMPLE,
  filter: filterOf(),
  cursor: cursor(whole, text, text),
  fields: groups(GROUPS, ['basic']),
  limit: oneOr(wholeTo(1_000), 50),
  parseIoAsJson: oneOr(truth, false),
}

// A bound of the time makes SQLite go through an index of it from the newest, instead of sorting all rows. It takes the
// first of several.
const ANY_TIME: Clause = { sql: 'startTime >= 0', values: [] }

/** Checks a query as a whole. @throws Refusal 400 with one issue for every parameter that does not fit. */
export function readQuery(query: URLSearchParams): ObservationQuery {
  const { filter = [], cursor, fields, limit, parseIoAsJson, ...simple } = readParameters(query, PARAMETERS)
  const filtered = new Set(filter.map(({ column }) => column))
  // A condition of `filter` beats the single parameter on the same column.
  const left = Object.values(simple).flatMap((condition) =>
    condition && !filtered.has(condition.column) ? [clauseOf(condition)] : [],
  )
  return { where: [...left, ...filter, ANY_TIME], after: cursor, groups: fields, limit, parseIo: parseIoAsJson }
}
