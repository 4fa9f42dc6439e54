import type { SQLOutputValue } from 'node:sqlite'
import { own } from '@svc/core/own'
import { type Answer, json } from '../../http/answer.ts'
import type { Call } from '../../http/router.ts'
import type { ReadService } from '../../service.ts'
import { fittingGranularity } from '../../store/period.ts'
import type { ReadStore } from '../../store/read-store.ts'
import { allOf, type Clause } from '../../store/rows.ts'
import { clauseOf } from '../observations/condition.ts'
import { AGGREGATIONS } from './aggregate.ts'
import { type MetricsQuery, readMetricsQuery } from './query.ts'
import { PAGE_VIEWS, VIEWS } from './views.ts'

type Figures = Readonly<Record<string, unknown>>
type Metric = MetricsQuery['metrics'][number]

/** A value of each row of the answer. */
interface Column {
  readonly field: string
  readonly sql: string
  /** Returns the value of the answer, if it is not the one of SQL. */
  shown?(value: SQLOutputValue): unknown
}

/** `GET /api/public/v2/metrics`: one row for each group, `{aggregation}_{measure}` in each. */
export const getMetrics = (call: Call, service: ReadService): Answer => metricsOf(VIEWS, call, service)

/** `GET /viewer/metrics`: the same for the page, which counts tokens and costs as its list of traces does. */
export const getPageMetrics = (call: Call, service: ReadService): Answer => metricsOf(PAGE_VIEWS, call, service)

function metricsOf(views: typeof VIEWS, { query: parameters }: Call, { store }: ReadService): Answer {
  const query = readMetricsQuery(parameters, views)
  const figures = store.atOnce(() => figuresOf(query, store))
  return json(200, { data: figures.sort(inOrder(query)).slice(0, query.rowLimit) })
}

/** The database groups: for observations it reads an index that has all they are usually asked for. */
function figuresOf(query: MetricsQuery, store: ReadStore): Figures[] {
  const groups = [...periodOf(query, store), ...query.dimensions.map((field) => dimension(field, query))]
  const columns = [...groups, ...query.metrics.map((metric) => figure(metric, query))]
  const selected = columns.map(({ sql }, at) => `${sql} AS c${at}`).join(', ')
  // Without groups there is one row, of nothing too.
  const by = groups.length === 0 ? '' : `GROUP BY ${groups.map((_, at) => `c${at}`).join(', ')}`
  const { sql, values } = source(query)
  return store.each({ sql: `SELECT ${selected} ${sql} ${by}`, values }, (row) =>
    Object.fromEntries(
      columns.map(({ field, shown }, at) => {
        const value = row[`c${at}`] ?? null
        return [field, shown ? shown(value) : value]
      }),
    ),
  )
}

function periodOf(query: MetricsQuery, store: ReadStore): Column[] {
  if (query.granularity === undefined) return []
  const granularity = query.granularity === 'auto' ? fittingGranularity(lengthOf(query, store)) : query.granularity
  return [
    {
      field: TIME,
      sql: `start_of_period(${milliseconds(query)}, '${granularity}')`,
      shown: (start) => new Date(Number(start)).toISOString(),
    },
  ]
}

/** Milliseconds between the first time and the last one. */
function lengthOf(query: MetricsQuery, store: ReadStore): number {
  const { sql, values } = source(query)
  const time = milliseconds(query)
  const [found] = store.query({ sql: `SELECT min(${time}) AS first, max(${time}) AS last ${sql}`, values })
  return (query.to ?? Number(found?.last)) - (query.from ?? Number(found?.first))
}

const milliseconds = ({ view: { time } }: MetricsQuery) => `${time.sql} / ${time.perMs}.0`

function dimension(field: string, { view }: MetricsQuery): Column {
  const column = own(view.columns, field)
  // As REAL: JavaScript cannot read large integers.
  return { field, sql: column?.kind === 'number' ? `${column.sql} + 0.0` : (column?.sql ?? 'NULL') }
}

function figure(metric: Metric, { view, bins }: MetricsQuery): Column {
  const { sql, kind } = own(view.measures, metric.measure) ?? { sql: 'NULL', kind: 'number' }
  const { ofAny, ofNumbers, ...aggregation } = own(AGGREGATIONS, metric.aggregation) ?? AGGREGATIONS.count
  return {
    field: nameOf(metric),
    sql: aggregation.sql(kind === 'number' || ofAny ? sql : 'NULL'),
    ...(ofNumbers && { shown: (numbers) => ofNumbers(sorted(numbers), bins) }),
  }
}

/** Numbers that the database has collected as JSON, in rising order; where a row has none there is null. */
const sorted = (json: SQLOutputValue): Float64Array =>
  Float64Array.from((JSON.parse(String(json)) as (number | null)[]).filter((number) => number !== null)).sort()

function source({ view, filters, from, to }: MetricsQuery): Clause {
  const bound = (operator: string, time: number | undefined): Clause[] =>
    time === undefined ? [] : [{ sql: `${view.time.sql} ${operator} ?`, values: [time * view.time.perMs] }]
  const where = allOf([
    ...filters.map((condition) => clauseOf(condition, view.columns)),
    ...bound('>=', from),
    ...bound('<', to),
  ])
  return { sql: `FROM ${view.from} WHERE ${where.sql}`, values: where.values }
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
