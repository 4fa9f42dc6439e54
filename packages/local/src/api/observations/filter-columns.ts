/** The content of a column, which decides what filters fit it. */
export type ColumnKind = 'text' | 'number' | 'time' | 'boolean' | 'list' | 'map'

export interface FilterColumn {
  /** An expression over the columns of the table. */
  readonly sql: string
  readonly kind: ColumnKind
}

const text = (sql: string): FilterColumn => ({ sql, kind: 'text' })
const number = (sql: string): FilterColumn => ({ sql, kind: 'number' })
const time = (sql: string): FilterColumn => ({ sql, kind: 'time' })
const seconds = (from: string, to: string) => number(`(${to} - ${from}) / 1000000.0`)

/** Columns that observations can be filtered by. */
export const FILTER_COLUMNS: Readonly<Record<string, FilterColumn>> = {
  id: text('id'),
  traceId: text('traceId'),
  parentObservationId: text('parentId'),
  type: text('type'),
  name: text('name'),
  level: text('level'),
  statusMessage: text('statusMessage'),
  version: text('version'),
  release: text('release'),
  environment: text('environment'),
  userId: text('userId'),
  sessionId: text('sessionId'),
  traceName: text('traceName'),
  model: text('model'),
  providedModelName: text('model'),
  promptName: text('promptName'),
  promptVersion: number('promptVersion'),
  input: text('input'),
  output: text('output'),
  startTime: time('startTime'),
  endTime: time('endTime'),
  completionStartTime: time('completionStartTime'),
  latency: seconds('startTime', 'endTime'),
  timeToFirstToken: seconds('startTime', 'completionStartTime'),
  inputTokens: number("json_extract(usage, '$.input')"),
  outputTokens: number("json_extract(usage, '$.output')"),
  totalTokens: number("json_extract(usage, '$.total')"),
  totalCost: number("json_extract(cost, '$.total')"),
  isRootObservation: { sql: '(root > 0)', kind: 'boolean' },
  public: { sql: 'public', kind: 'boolean' },
  tags: { sql: 'tags', kind: 'list' },
  traceTags: { sql: 'tags', kind: 'list' },
  metadata: { sql: 'metadata', kind: 'map' },
}
