import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { groupBy } from '../../group.ts'
import { type Answer, json } from '../../http/answer.ts'
import type { Call } from '../../http/router.ts'
import type { ReadService } from '../../service.ts'
import type { Clause } from '../../store/rows.ts'
import { AGGREGATIONS } from './aggregate.ts'
import { type MetricsQuery, readMetricsQuery } from './query.ts'
import { fittingGranularity, periodOf } from './time.ts'

type Row = Readonly<Record<string, SQLOutputValue>>
type Figures = Record<string, unknown>

/** `GET /api/public/v2/metrics`: one row for each group, `{aggregation}_{measure}` in each. */
export function getMetrics({ query }: Call, { store }: ReadService): Answer {
  const asked = readMetricsQuery(query.get('query'))
  const rows = store.query(selection(asked))
  const period = periodIn(rows, asked)
  const keyOf = (row: Row) => JSON.stringify([period?.(row), ...asked.dimensions.map((_, at) => row[`d${at}`])])
  // Without groups there is one row, of nothing too.
  const groups = asked.dimensions.length === 0 && !period ? [rows] : [...groupBy(rows, keyOf).values()]
  const data = groups.map((group) => figures(group, asked, period)).sort(inOrder(asked))
  return json(200, { data: data.slice(0, asked.rowLimit) })
}

/** Rows with the values to group by as `d0`, `d1`, …, those to aggregate as `m0`, … and their time as `at`. */
function selection({ view, dimensions, metrics, where, from, to }: MetricsQuery): Clause {
  const bounds: [string, number | undefined][] = [
    ['>=', from],
    ['<', to],
  ]
  const clauses: Clause[] = [
    { sql: view.where, values: [] },
    ...where,
    ...bounds.flatMap(([operator, time]) =>
      time === undefined ? [] : [{ sql: `${view.time.sql} ${operator} ?`, values: [time * view.time.perMs] }],
    ),
  ]
  const columns = [
    ...dimensions.map((field, at) => `${view.columns[field]?.sql} AS d${at}`),
    ...metrics.map(({ measure }, at) => `${view.measures[measure]} AS m${at}`),
    `${view.time.sql} / ${view.time.perMs} AS at`,
  ]
  return {
    sql: `SELECT ${columns.join(', ')} FROM ${view.from} WHERE ${clauses.map(({ sql }) => sql).join(' AND ')}`,
    values: clauses.flatMap(({ values }): readonly SQLInputValue[] => values),
  }
}

/** Which period a row lies in; undefined when nobody asks. */
function periodIn(rows: readonly Row[], { granularity, from, to }: MetricsQuery): ((row: Row) => string) | undefined {
  if (granularity === undefined) return undefined
  const times = rows.map(({ at }) => Number(at))
  const first = from ?? times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const last = to ?? times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  const fitting = granularity === 'auto' ? fittingGranularity(last - first) : granularity
  return ({ at }) => periodOf(Number(at), fitting)
}

function figures(group: readonly Row[], asked: MetricsQuery, period: ((row: Row) => string) | undefined): Figures {
  const [first] = group
  const facts: Figures = first && period ? { [TIME]: period(first) } : {}
  for (const [at, field] of asked.dimensions.entries()) facts[field] = first?.[`d${at}`] ?? null
  for (const [at, { measure, aggregation }] of asked.metrics.entries()) {
    const values = group.map((row) => row[`m${at}`] ?? null)
    facts[`${aggregation}_${measure}`] = AGGREGATIONS[aggregation]?.(values, asked.bins)
  }
  return facts
}

/** As asked, else by time, else by the first figure, the largest first. */
function inOrder({ orderBy, granularity, metrics }: MetricsQuery): (a: Figures, b: Figures) => number {
  const figure = `${metrics[0]?.aggregation}_${metrics[0]?.measure}`
  const usual = granularity === undefined ? { field: figure, direction: 'desc' } : { field: TIME, direction: 'asc' }
  return (a, b) => {
    for (const { field, direction } of [...orderBy, usual]) {
      const difference = compared(a[field], b[field])
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
