import { Checks, Unfit } from '../../http/checks.ts'
import { own } from '../../own.ts'
import type { Clause } from '../../store/rows.ts'
import { attemptFields, date, optional, type Reader, record, text, whole, word } from '../body.ts'
import { clauseOf, readFilter } from '../observations/condition.ts'
import { AGGREGATIONS } from './aggregate.ts'
import { GRANULARITIES, type Granularity } from './time.ts'
import { VIEWS, type View } from './views.ts'

/** What `GET /v2/metrics` was asked, checked. Times are milliseconds since 1970. */
export interface MetricsQuery {
  readonly view: View
  readonly metrics: readonly { readonly measure: string; readonly aggregation: string }[]
  readonly dimensions: readonly string[]
  readonly where: readonly Clause[]
  readonly from: number | undefined
  readonly to: number | undefined
  readonly granularity: Granularity | undefined
  readonly orderBy: readonly { readonly field: string; readonly direction: 'asc' | 'desc' }[]
  readonly rowLimit: number
  readonly bins: number
}

const ROWS = { otherwise: 100, max: 1_000 }
const BINS = { otherwise: 10, max: 100 }

const list =
  <T>(read: Reader<T>): Reader<readonly T[]> =>
  (said) => {
    if (said === undefined || said === null) return []
    if (!Array.isArray(said)) throw new Unfit('expected a list')
    return said.map(read)
  }

const FIELDS = {
  view: word(Object.keys(VIEWS)),
  metrics: list((said) => {
    // Widgets call it agg, queries aggregation.
    const { measure, aggregation, agg = aggregation } = record(said)
    return { measure: text(measure), aggregation: word(Object.keys(AGGREGATIONS))(agg) }
  }),
  dimensions: list((said) => text(record(said).field)),
  filters: (said: unknown) => readFilter(JSON.stringify(said ?? [])),
  timeDimension: optional((said: unknown) => word(GRANULARITIES)(record(said).granularity)),
  fromTimestamp: optional(date),
  toTimestamp: optional(date),
  orderBy: list((said) => {
    const { field, direction } = record(said)
    return { field: text(field), direction: word(['asc', 'desc'])(direction) }
  }),
  config: optional(record),
}

type Fields = { readonly [K in keyof typeof FIELDS]: ReturnType<(typeof FIELDS)[K]> }

/** Reads the `query` parameter, a JSON object. @throws Refusal 400 with everything in it that does not fit. */
export function readMetricsQuery(said: string | null): MetricsQuery {
  const checks = new Checks()
  const json = checks.attempt('query', () => parsed(said), {})
  checks.finish()
  const fields = attemptFields<Fields>(json, FIELDS, checks)
  checks.finish()
  const view = own(VIEWS, fields.view) as View
  checks.attempt('metrics', () => checkMetrics(fields.metrics, view), undefined)
  checks.attempt('dimensions', () => checkDimensions(fields.dimensions, view), undefined)
  const where = checks.attempt('filters', () => fields.filters.map((one) => clauseOf(one, view.columns)), [])
  const { row_limit: rows, bins } = fields.config ?? {}
  const query = {
    view,
    metrics: fields.metrics,
    dimensions: fields.dimensions,
    where,
    from: fields.fromTimestamp,
    to: fields.toTimestamp,
    granularity: fields.timeDimension,
    orderBy: fields.orderBy,
    rowLimit: checks.attempt('config', () => within(rows, ROWS), ROWS.otherwise),
    bins: checks.attempt('config', () => within(bins, BINS), BINS.otherwise),
  }
  checks.finish()
  return query
}

function parsed(said: string | null): unknown {
  if (!said) throw new Unfit('is required: a JSON object with view and metrics')
  try {
    return JSON.parse(said)
  } catch {
    throw new Unfit('expected JSON')
  }
}

function checkMetrics(metrics: Fields['metrics'], { measures }: View): void {
  if (metrics.length === 0) throw new Unfit('expected at least one measure with its aggregation')
  const unknown = metrics.find(({ measure }) => !Object.hasOwn(measures, measure))
  if (unknown) throw new Unfit(`unknown measure ${unknown.measure}, expected ${Object.keys(measures).join(', ')}`)
}

function checkDimensions(dimensions: readonly string[], { columns }: View): void {
  const unknown = dimensions.find((field) => !['text', 'number'].includes(own(columns, field)?.kind ?? ''))
  if (unknown !== undefined) throw new Unfit(`cannot group by ${unknown}`)
}

function within(said: unknown, { otherwise, max }: { otherwise: number; max: number }): number {
  const number = optional(whole)(said) ?? otherwise
  if (number < 1 || number > max) throw new Unfit(`expected 1 to ${max}`)
  return number
}
