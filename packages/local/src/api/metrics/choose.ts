import type { ValueColumn } from '../../store/column.ts'
import type { ColumnCache, ColumnSpec } from '../../store/column-cache.ts'
import type { ReadStore } from '../../store/read-store.ts'
import type { Clause } from '../../store/rows.ts'
import { type Condition, clauseOf } from '../observations/condition.ts'
import type { FilterColumn } from '../observations/filter-columns.ts'
import type { MetricsQuery } from './query.ts'

/** Columns whose values are long, or different in each row: the database looks at them. */
const LONG = ['input', 'output', 'statusMessage', 'id', 'parentId']

/** The column of a condition whose different values are looked at, instead of all rows. */
function valuesFor({ column }: Condition, { columns }: MetricsQuery['view']): ColumnSpec | undefined {
  const { sql, kind } = columns[column] as FilterColumn
  return kind === 'text' && !LONG.includes(sql) ? { sql, as: 'values' } : undefined
}

/** The columns that {@link choose} needs. */
export const columnsToChoose = ({ view, filters }: MetricsQuery): ColumnSpec[] =>
  filters.flatMap((condition) => valuesFor(condition, view) ?? [])

/** 1 for each row that a query is about. */
export function choose(
  query: MetricsQuery,
  { columns, store, times }: { columns: ColumnCache; store: ReadStore; times: Float64Array | undefined },
): Uint8Array {
  const { view, filters, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = query
  const chosen = columns.present.slice(0, columns.rows)
  const keep = (fits: (row: number) => boolean) => {
    for (let row = 0; row < chosen.length; row += 1) if (chosen[row] === 1 && !fits(row)) chosen[row] = 0
  }
  const keepWhere = (clause: Clause) => {
    const found = columns.where(clause)
    keep((row) => found[row] === 1)
  }
  for (const condition of filters) {
    const spec = valuesFor(condition, view)
    if (spec === undefined) keepWhere(clauseOf(condition, view.columns))
    else {
      const [{ data, values }] = columns.read([spec]) as [ValueColumn]
      const fitting = valuesThatFit(condition, values, store)
      keep((row) => fitting[data[row] ?? 0] === 1)
    }
  }
  if (times) {
    const [first, last] = [from * view.time.perMs, to * view.time.perMs]
    keep((row) => (times[row] ?? 0) >= first && (times[row] ?? 0) < last)
  }
  return chosen
}

/** 1 for each value that fulfils a condition: the database says so, as it would of a column. */
function valuesThatFit(condition: Condition, values: readonly unknown[], store: ReadStore): Uint8Array {
  const fit = clauseOf(condition, { [condition.column]: { sql: 'value', kind: 'text' } })
  const rows = store.query({
    sql: `SELECT key FROM json_each(?) WHERE ${fit.sql}`,
    values: [JSON.stringify(values), ...fit.values],
  })
  const fitting = new Uint8Array(values.length)
  for (const { key } of rows) fitting[Number(key)] = 1
  return fitting
}
