import { own } from '@svc/core/own'
import * as v from 'valibot'
import { Checks, ValidationError } from '../../http/checks.ts'
import { date, type FieldsOf, listOf, readFields, type Schema, text, whole } from '../../http/fields.ts'
import { capitals, groups, list, numeric, one, oneOr, readParameters, truth, wholeTo } from '../../http/parameters.ts'
import { type Clause, oneOf } from '../../store/rows.ts'
import { SCORE_DATA_TYPES, SCORE_SOURCES } from '../../store/score.ts'
import { cursor } from '../cursor.ts'
import { SCORE_GROUPS, type ScoreGroup } from './shape.ts'

/** A validated query of `GET /v3/scores`. */
export interface ScoreQuery {
  readonly where: readonly Clause[]
  readonly after: FieldsOf<typeof PARAMETERS>['cursor']
  readonly groups: readonly ScoreGroup[]
  readonly limit: number
}

const GROUPS = Object.keys(SCORE_GROUPS) as ScoreGroup[]

const listed = (column: string, schema: Schema<string> = text): Schema<Clause[]> =>
  v.pipe(
    list(schema),
    v.transform((values) => (values.length > 0 ? [oneOf(column, values)] : [])),
  )
const bound = (sql: string, schema: Schema<number>): Schema<Clause[]> =>
  v.pipe(
    one(schema),
    v.transform((value) => (value === undefined ? [] : [{ sql, values: [value] }])),
  )

/** Parameters, each as the conditions that it stands for. */
const CONDITIONS = {
  id: listed('id'),
  name: listed('name'),
  source: listed('source', capitals(SCORE_SOURCES)),
  dataType: listed('dataType', capitals(SCORE_DATA_TYPES)),
  environment: listed('environment'),
  configId: listed('configId'),
  queueId: listed('queueId'),
  // Scores of people come from the service's own pages, which this one has not.
  authorUserId: listed('NULL'),
  traceId: listed('traceId'),
  sessionId: listed('sessionId'),
  observationId: listed('observationId'),
  experimentId: listed('datasetRunId'),
  valueMin: bound('number >= ?', numeric),
  valueMax: bound('number <= ?', numeric),
  fromTimestamp: bound('timestamp >= ?', date),
  toTimestamp: bound('timestamp < ?', date),
}

const PARAMETERS = {
  ...CONDITIONS,
  value: list(text),
  cursor: cursor(whole, text),
  fields: groups(GROUPS, []),
  limit: oneOr(wholeTo(100), 50),
}

/** Checks a query as a whole. @throws Refusal 400 with one issue for every parameter that does not fit. */
export function readScoreQuery(query: URLSearchParams): ScoreQuery {
  const { value, cursor, fields, limit, ...conditions } = readParameters(query, PARAMETERS)
  const checks = new Checks()
  const types = conditions.dataType.flatMap(({ values }) => values)
  const values = checks.attempt('value', () => valuesOf(value, types), [])
  checks.attempt('dataType', () => checkNumeric(conditions), undefined)
  checks.attempt('observationId', () => checkSubjects(conditions), undefined)
  checks.finish()
  return { where: [...Object.values(conditions).flat(), ...values], after: cursor, groups: fields, limit }
}

// Which value a text stands for depends on the data type: "1" is a number, and a category.
function valuesOf(texts: readonly string[], [dataType, ...others]: Clause['values']): Clause[] {
  if (texts.length === 0) return []
  const schema = others.length === 0 ? own(VALUES, String(dataType)) : undefined
  if (!schema) throw new ValidationError('a value needs one dataType: NUMERIC, BOOLEAN or CATEGORICAL')
  const { value } = readFields({ value: texts }, { value: listOf(schema) })
  return [oneOf(dataType === 'CATEGORICAL' ? 'text' : 'number', value)]
}

const VALUES: Readonly<Record<string, Schema<number | string>>> = {
  NUMERIC: numeric,
  BOOLEAN: v.pipe(truth, v.transform(Number)),
  CATEGORICAL: text,
}

type Conditions = FieldsOf<typeof CONDITIONS>

function checkNumeric({ valueMin, valueMax, dataType }: Conditions): void {
  const types = dataType.flatMap(({ values }) => values)
  if ([...valueMin, ...valueMax].length > 0 && types.join() !== 'NUMERIC') {
    throw new ValidationError('valueMin and valueMax need dataType=NUMERIC')
  }
}

function checkSubjects(conditions: Conditions): void {
  const has = (name: keyof Conditions) => conditions[name].length > 0
  if (has('observationId') && !has('traceId')) throw new ValidationError('an observationId needs its traceId')
  const subjects = (['traceId', 'sessionId', 'experimentId'] as const).filter(has)
  if (subjects.length > 1) throw new ValidationError(`${subjects.join(' and ')} cannot be requested together`)
}
