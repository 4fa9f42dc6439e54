import { FILTER_COLUMNS, type FilterColumn } from '../observations/filter-columns.ts'

/** What can be measured, and what it can be measured by (appendix A: `DashboardWidgetView`). */
export interface View {
  readonly from: string
  /** Condition that rows of this view fulfil. */
  readonly where: string
  /** Column of the time of a row, and how many of its units a millisecond has. */
  readonly time: { readonly sql: string; readonly perMs: number }
  /** SQL of a number, or of anything where only its presence counts. */
  readonly measures: Readonly<Record<string, string>>
  /** Columns to group and to filter by. */
  readonly columns: Readonly<Record<string, FilterColumn>>
}

const MILLISECONDS = (from: string, to: string) => `(${to} - ${from}) / 1000.0`

const OBSERVATIONS: View = {
  from: 'observations',
  where: 'TRUE',
  time: { sql: 'startTime', perMs: 1_000 },
  measures: {
    count: '1',
    latency: MILLISECONDS('startTime', 'endTime'),
    timeToFirstToken: MILLISECONDS('startTime', 'completionStartTime'),
    inputTokens: "json_extract(usage, '$.input')",
    outputTokens: "json_extract(usage, '$.output')",
    totalTokens: "json_extract(usage, '$.total')",
    totalCost: "json_extract(cost, '$.total')",
    traceId: 'traceId',
    userId: 'userId',
    sessionId: 'sessionId',
  },
  columns: FILTER_COLUMNS,
}

const SCORE_COLUMNS = ['id', 'name', 'environment', 'source', 'dataType', 'traceId', 'observationId', 'sessionId']

const scores = (dataTypes: string, value: FilterColumn, measures: View['measures']): View => ({
  from: 'scores',
  where: `dataType IN (${dataTypes})`,
  time: { sql: 'timestamp', perMs: 1 },
  measures: { count: '1', ...measures },
  columns: {
    ...Object.fromEntries(SCORE_COLUMNS.map((name): [string, FilterColumn] => [name, { sql: name, kind: 'text' }])),
    experimentId: { sql: 'datasetRunId', kind: 'text' },
    value,
  },
})

export const VIEWS: Readonly<Record<string, View>> = {
  observations: OBSERVATIONS,
  'scores-numeric': scores("'NUMERIC'", { sql: 'number', kind: 'number' }, { value: 'number' }),
  'scores-boolean': scores("'BOOLEAN'", { sql: 'number', kind: 'number' }, { value: 'number' }),
  'scores-categorical': scores("'CATEGORICAL'", { sql: 'text', kind: 'text' }, {}),
}
