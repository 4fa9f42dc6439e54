import { FILTER_COLUMNS, type FilterColumn } from '../observations/filter-columns.ts'

/** A view has measures, and columns that they are grouped by (appendix A: `DashboardWidgetView`). */
export interface View {
  /** A table, or a `SELECT` in parentheses. */
  readonly from: string
  /** Column of the time of a row, and how many of its units a millisecond has. */
  readonly time: { readonly sql: string; readonly perMs: number }
  /** Numbers, and values that are only counted. */
  readonly measures: Readonly<Record<string, FilterColumn>>
  /** Columns to group and to filter by. */
  readonly columns: Readonly<Record<string, FilterColumn>>
}

const number = (sql: string): FilterColumn => ({ sql, kind: 'number' })
const text = (sql: string): FilterColumn => ({ sql, kind: 'text' })
const milliseconds = (from: string, to: string) => number(`(${to} - ${from}) / 1000.0`)

const OBSERVATIONS: View = {
  from: 'observations',
  time: { sql: 'startTime', perMs: 1_000 },
  measures: {
    count: number('1'),
    latency: milliseconds('startTime', 'endTime'),
    timeToFirstToken: milliseconds('startTime', 'completionStartTime'),
    inputTokens: number("json_extract(usage, '$.input')"),
    outputTokens: number("json_extract(usage, '$.output')"),
    totalTokens: number("json_extract(usage, '$.total')"),
    totalCost: number("json_extract(cost, '$.total')"),
    traceId: text('traceId'),
    userId: text('userId'),
    sessionId: text('sessionId'),
  },
  columns: FILTER_COLUMNS,
}

const SCORE_COLUMNS = ['id', 'name', 'environment', 'source', 'dataType', 'traceId', 'observationId', 'sessionId']

const scores = (dataType: string, value: FilterColumn, measures: View['measures']): View => ({
  from: `(SELECT * FROM scores WHERE dataType = '${dataType}')`,
  time: { sql: 'timestamp', perMs: 1 },
  measures: { count: number('1'), ...measures },
  columns: {
    ...Object.fromEntries(SCORE_COLUMNS.map((name): [string, FilterColumn] => [name, text(name)])),
    experimentId: text('datasetRunId'),
    value,
  },
})

export const VIEWS: Readonly<Record<string, View>> = {
  observations: OBSERVATIONS,
  'scores-numeric': scores('NUMERIC', number('number'), { value: number('number') }),
  'scores-boolean': scores('BOOLEAN', number('number'), { value: number('number') }),
  'scores-categorical': scores('CATEGORICAL', text('text'), {}),
}

const side = (name: string) => number(`(SELECT sum(value) FROM json_each(usage) WHERE key GLOB '${name}*')`)

/** The views of the page: tokens as `tokensOf` counts them, costs as `costOf` does, those that were not sent included. */
export const PAGE_VIEWS: typeof VIEWS = {
  ...VIEWS,
  observations: {
    ...OBSERVATIONS,
    measures: {
      ...OBSERVATIONS.measures,
      inputTokens: side('input'),
      outputTokens: side('output'),
      totalCost: number(
        `CASE WHEN cost = '{}' THEN estimated_cost(model, usage)
          ELSE coalesce(json_extract(cost, '$.total'), (SELECT sum(value) FROM json_each(cost))) END`,
      ),
      estimatedCost: number("CASE WHEN cost = '{}' THEN estimated_cost(model, usage) END"),
    },
  },
}
