import * as v from 'valibot'
import { Checks, ValidationError } from '../../http/checks.ts'
import { own } from '../../own.ts'
import {
  anything,
  attemptFields,
  date,
  type FieldsOf,
  listOf,
  objectOf,
  optional,
  parsedBy,
  record,
  type Schema,
  text,
  word,
} from '../body.ts'
import { type Condition, clauseOf, readFilter } from '../observations/condition.ts'
import { AGGREGATIONS } from './aggregate.ts'
import { GRANULARITIES, type Granularity } from './time.ts'
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

const ROWS = { otherwise: 100, max: 1_000 }
const BINS = { otherwise: 10, max: 100 }

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
  filters: parsedBy((raw) => readFilter(JSON.stringify(raw ?? []))),
  timeDimension: optional(objectOf({ granularity: word(GRANULARITIES) })),
  fromTimestamp: optional(date),
  toTimestamp: optional(date),
  orderBy: list(objectOf({ field: text, direction: word(['asc', 'desc']) })),
  config: optional(record),
}

type Fields = FieldsOf<typeof FIELDS>

/** Reads the `query` parameter, a JSON object. @throws Refusal 400 with everything in it that does not fit. */
export function readMetricsQuery(raw: string | null, views: typeof VIEWS): MetricsQuery {
  const checks = new Checks()
  const json = checks.attempt('query', () => parsed(raw), {})
  checks.finish()
  const fields = attemptFields(json, FIELDS, checks)
  checks.finish()
  const view = own(views, fields.view) as View
  checks.attempt('metrics', () => checkMetrics(fields.metrics, view), undefined)
  checks.attempt('dimensions', () => checkDimensions(fields.dimensions, view), undefined)
  checks.attempt('filters', () => fields.filters.map((one) => clauseOf(one, view.columns)), [])
  const { row_limit: rows, bins } = fields.config ?? {}
  const query = {
    view,
    metrics: fields.metrics,
    dimensions: fields.dimensions.map(({ field }) => field),
    filters: fields.filters,
    from: fields.fromTimestamp,
    to: fields.toTimestamp,
    granularity: fields.timeDimension?.granularity,
    orderBy: fields.orderBy,
    rowLimit: checks.attempt('config', () => within(rows, ROWS), ROWS.otherwise),
    bins: checks.attempt('config', () => within(bins, BINS), BINS.otherwise),
  }
  checks.finish()
  return query
}

function parsed(raw: string | null): unknown {
  if (!raw) throw new ValidationError('is required: a JSON object with view and metrics')
  try {
    return JSON.parse(raw)
  } catch {
    throw new ValidationError('expected JSON')
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

function within(given: unknown, { otherwise, max }: { otherwise: number; max: number }): number {
  if (given === undefined || given === null) return otherwise
  if (!Number.isSafeInteger(given)) throw new ValidationError('expected a whole number')
  if (Number(given) < 1 || Number(given) > max) throw new ValidationError(`expected 1 to ${max}`)
  return Number(given)
}
