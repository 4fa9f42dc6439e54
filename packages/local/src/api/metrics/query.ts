import { own } from '@svc/core/own'
import * as v from 'valibot'
import { Checks, ValidationError } from '../../http/checks.ts'
import {
  anything,
  date,
  type FieldsOf,
  listOf,
  objectOf,
  optional,
  readFields,
  type Schema,
  text,
  word,
} from '../../http/fields.ts'
import { json, readParameters, required } from '../../http/parameters.ts'
import { GRANULARITIES, type Granularity } from '../../store/period.ts'
import { type Condition, clauseOf, conditions } from '../observations/condition.ts'
import { AGGREGATIONS } from './aggregate.ts'
import { VIEWS, type View } from './views.ts'

/** A validated query of `GET /v2/metrics`. Times are milliseconds since 1970. */
export interface MetricsQuery {
  readonly view: View
  readonly metrics: readonly { readonly measure: string; readonly aggregation: string }[]
  readonly dimensions: readonly string[]
  readonly filters: readonly Condition[]
  readonly from: number | undefined
  readonly to: number | undefined
  readonly granularity: Granularity | undefined
  readonly orderBy: readonly { readonly field: string; readonly direction: 'asc' | 'desc' }[]
  readonly rowLimit: number
  readonly bins: number
}

function wholeBetween(least: number, most: number) {
  const message = `expected a whole number from ${least} to ${most}`
  return v.pipe(v.number(message), v.integer(message), v.minValue(least, message), v.maxValue(most, message))
}

const list = <T>(schema: Schema<T>): Schema<readonly T[]> =>
  v.pipe(
    optional(listOf(schema)),
    v.transform((items) => items ?? []),
  )

const metric = v.pipe(
  objectOf({ measure: text, aggregation: anything, agg: anything }),
  // Widgets call it agg, queries aggregation.
  v.transform(({ measure, aggregation, agg = aggregation }) => ({ measure, aggregation: String(agg) })),
  v.check(
    ({ aggregation }) => Object.hasOwn(AGGREGATIONS, aggregation),
    `expected ${Object.keys(AGGREGATIONS).join(', ')}`,
  ),
)

const FIELDS = {
  view: word(Object.keys(VIEWS)),
  metrics: list(metric),
  dimensions: list(objectOf({ field: text })),
  filters: v.pipe(
    optional(conditions),
    v.transform((given) => given ?? []),
  ),
  timeDimension: optional(objectOf({ granularity: word(GRANULARITIES) })),
  fromTimestamp: optional(date),
  toTimestamp: optional(date),
  orderBy: list(objectOf({ field: text, direction: word(['asc', 'desc']) })),
  config: optional(objectOf({ row_limit: optional(wholeBetween(1, 1_000)), bins: optional(wholeBetween(1, 100)) })),
}

type Fields = FieldsOf<typeof FIELDS>

/** Reads the `query` parameter, a JSON object. @throws Refusal 400 with everything in it that does not fit. */
export function readMetricsQuery(parameters: URLSearchParams, views: typeof VIEWS): MetricsQuery {
  const { query: body } = readParameters(parameters, {
    query: required(json, 'is required: a JSON object with view and metrics'),
  })
  const fields = readFields(body, FIELDS)
  const checks = new Checks()
  const view = own(views, fields.view) as View
  checks.attempt('metrics', () => checkMetrics(fields.metrics, view), undefined)
  checks.attempt('dimensions', () => checkDimensions(fields.dimensions, view), undefined)
  checks.attempt('filters', () => fields.filters.map((one) => clauseOf(one, view.columns)), [])
  checks.finish()
  const { row_limit: rowLimit = 100, bins = 10 } = fields.config ?? {}
  return {
    view,
    metrics: fields.metrics,
    dimensions: fields.dimensions.map(({ field }) => field),
    filters: fields.filters,
    from: fields.fromTimestamp,
    to: fields.toTimestamp,
    granularity: fields.timeDimension?.granularity,
    orderBy: fields.orderBy,
    rowLimit,
    bins,
  }
}

function checkMetrics(metrics: Fields['metrics'], { measures }: View): void {
  if (metrics.length === 0) throw new ValidationError('expected at least one measure with its aggregation')
  const unknown = metrics.find(({ measure }) => !Object.hasOwn(measures, measure))
  if (unknown)
    throw new ValidationError(`unknown measure ${unknown.measure}, expected ${Object.keys(measures).join(', ')}`)
}

function checkDimensions(dimensions: Fields['dimensions'], { columns }: View): void {
  const unknown = dimensions.find(({ field }) => !['text', 'number'].includes(own(columns, field)?.kind ?? ''))
  if (unknown) throw new ValidationError(`cannot group by ${unknown.field}`)
}
