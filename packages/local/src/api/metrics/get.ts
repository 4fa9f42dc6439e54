import { own } from '@svc/core/own'
import { type Answer, json } from '../../http/answer.ts'
import type { Call } from '../../http/router.ts'
import type { ReadService } from '../../service.ts'
import type { Column, ValueColumn } from '../../store/column.ts'
import type { ColumnSpec } from '../../store/column-cache.ts'
import type { ReadStore } from '../../store/read-store.ts'
import type { FilterColumn } from '../observations/filter-columns.ts'
import { AGGREGATIONS } from './aggregate.ts'
import { choose, columnsToChoose } from './choose.ts'
import { dividedByColumn, type Groups, together } from './groups.ts'
import { type MetricsQuery, readMetricsQuery } from './query.ts'
import { dividedByPeriod, fittingGranularity } from './time.ts'
import { EVERY_ROW, PAGE_VIEWS, VIEWS, type View } from './views.ts'

type Figures = Readonly<Record<string, unknown>>
type Metric = MetricsQuery['metrics'][number]

/** `GET /api/public/v2/metrics`: one row for each group, `{aggregation}_{measure}` in each. */
export const getMetrics = (call: Call, service: ReadService): Answer => metricsOf(VIEWS, call, service)

/** `GET /viewer/metrics`: the same for the page, which counts tokens and costs as its list of traces does. */
export const getPageMetrics = (call: Call, service: ReadService): Answer => metricsOf(PAGE_VIEWS, call, service)

function metricsOf(views: typeof VIEWS, { query: parameters }: Call, { store }: ReadService): Answer {
  const query = readMetricsQuery(parameters, views)
  const figures = store.atOnce(() => figuresOf(query, store))
  return json(200, { data: figures.sort(inOrder(query)).slice(0, query.rowLimit) })
}

function figuresOf(query: MetricsQuery, store: ReadStore): Figures[] {
  const { view, dimensions, metrics, bins } = query
  const columns = view.from === OBSERVATIONS ? store.columns : store.columnsOf(view.from)
  const specs = {
    time: timed(query) ? [numbers(view.time.sql)] : [],
    dimensions: dimensions.map((field) => values(view.columns[field]?.sql ?? 'NULL')),
    measures: metrics.map(({ measure }) => measureOf(view, measure)).filter(({ sql }) => sql !== EVERY_ROW),
  }
  // All at once, so that what is missing is read at once.
  columns.read([...Object.values(specs).flat(), ...columnsToChoose(query)])
  const dataOf = (spec: ColumnSpec) => (columns.read([spec])[0] as Column).data
  const times = specs.time.map(dataOf)[0] as Float64Array | undefined
  const chosen = choose(query, { columns, store, times })
  const grouped = specs.dimensions.map((spec) => columns.read([spec])[0] as ValueColumn)
  const { groups, startOf } = inPeriods(grouped.reduce(dividedByColumn, together(chosen)), query, times)
  const ones = new Float64Array(columns.rows).fill(1)
  const figures = metrics.map(({ measure, aggregation }) => {
    const spec = measureOf(view, measure)
    const data = spec.sql === EVERY_ROW ? ones : dataOf(spec)
    return (own(AGGREGATIONS, aggregation) ?? AGGREGATIONS.count)({ groups, data, bins })
  })
  return groups.examples.map((row, group) =>
    Object.fromEntries([
      ...(startOf ? [[TIME, new Date(startOf(row)).toISOString()]] : []),
      ...grouped.map((column, at) => [dimensions[at], column.values[column.data[row] ?? 0]]),
      ...metrics.map((metric, at) => [nameOf(metric), figures[at]?.[group]]),
    ]),
  )
}

const OBSERVATIONS = 'observations'
const numbers = (sql: string): ColumnSpec => ({ sql, as: 'numbers' })
const values = (sql: string): ColumnSpec => ({ sql, as: 'values' })
const timed = ({ from, to, granularity }: MetricsQuery) => [from, to, granularity].some((part) => part !== undefined)

function measureOf({ measures }: View, name: string): ColumnSpec {
  const { sql, kind } = measures[name] as FilterColumn
  return kind === 'number' ? numbers(sql) : values(sql)
}

/** Divides groups by the periods of a query, if it has any. */
function inPeriods(
  groups: Groups,
  { granularity, view, from, to }: MetricsQuery,
  times: Float64Array | undefined,
): { groups: Groups; startOf?: (row: number) => number } {
  if (granularity === undefined || times === undefined) return { groups }
  const { perMs } = view.time
  const measured = {
    groups: { ...groups, of: groups.of.map((group) => Math.min(group, 0)), count: 1 },
    data: times,
    bins: 1,
  }
  const length = () => {
    const [least, most] = [AGGREGATIONS.min, AGGREGATIONS.max].map(
      (aggregate) => Number(aggregate?.(measured)[0]) / perMs,
    )
    return (to ?? most ?? 0) - (from ?? least ?? 0)
  }
  return dividedByPeriod(groups, {
    times,
    perMs,
    granularity: granularity === 'auto' ? fittingGranularity(length()) : granularity,
  })
}

const nameOf = ({ aggregation, measure }: Metric) => `${aggregation}_${measure}`

/** By `orderBy`, then by time or else by the first figure, the largest first. */
function inOrder({ orderBy, granularity, metrics }: MetricsQuery): (a: Figures, b: Figures) => number {
  const [first] = metrics
  const usual =
    granularity === undefined && first ? { field: nameOf(first), direction: 'desc' } : { field: TIME, direction: 'asc' }
  return (a, b) => {
    for (const { field, direction } of [...orderBy, usual]) {
      // As text, years before 0 and after 9999 have another order.
      const [first, second] = [a, b].map((row) => (field === TIME ? Date.parse(String(row[field])) : row[field]))
      const difference = compared(first, second)
      if (difference !== 0) return direction === 'asc' ? difference : -difference
    }
    return 0
  }
}

const TIME = 'time_dimension'

function compared(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [first, second] = [String(a ?? ''), String(b ?? '')]
  return first < second ? -1 : Number(first > second)
}
