import { type Answer, json } from '../../http/answer.ts'
import type { Call } from '../../http/router.ts'
import type { ReadService } from '../../service.ts'
import { LEVELS } from '../../store/observation.ts'
import type { ReadStore } from '../../store/read-store.ts'
import { type Score, scoreFor } from '../../store/score.ts'
import type { StoredTrace } from '../../store/trace.ts'
import { type Preview, previewOf } from './preview.ts'
import { readTraceQuery } from './trace-query.ts'

/** A score as it stands beside what it is about. */
export type ScoreMark = Pick<Score, 'id' | 'name' | 'value' | 'dataType' | 'comment' | 'observationId' | 'source'>

/** A trace as the list shows it. Times are microseconds since 1970. */
export interface TraceRow
  extends Omit<
    StoredTrace,
    'change' | 'level' | 'root' | 'givenName' | 'rootName' | 'names' | 'public' | 'environment'
  > {
  readonly environment: string
  readonly level: (typeof LEVELS)[number]
  /** The root has not arrived yet. */
  readonly open: boolean
  readonly scores: readonly ScoreMark[]
}

/** A line of the list. */
export interface ListedTrace extends TraceRow, Preview {}

/** A page of the list. */
export interface TraceList {
  readonly data: readonly ListedTrace[]
  /** Number of the traces that fit. */
  readonly total: number
}

/** Most scores of one trace that are shown beside it. */
const SCORES = 200

/** `GET /viewer/traces`: traces with their sums, a page at a time. */
export function listTraces({ query }: Call, { store }: ReadService): Answer {
  const { where, order, limit, offset } = readTraceQuery(query, (words) => store.search.traces(words))
  const { sql, values } = where
  const rows = store.traces.find({
    // What is sorted is narrow; the rows of the page are read afterwards.
    sql: `WHERE seq IN (SELECT seq FROM traces WHERE ${sql} ORDER BY ${order.sql} LIMIT ? OFFSET ?) ORDER BY ${order.sql}`,
    values: [...values, ...order.values, limit, offset, ...order.values],
  })
  // A page that is not full is the last one.
  const isLast = rows.length < limit && (rows.length > 0 || offset === 0)
  const total = isLast ? offset + rows.length : store.traces.count({ sql: `WHERE ${sql}`, values })
  const list: TraceList = {
    data: rows.map((row) => ({ ...traceRow(row, store), ...previewOf(row.traceId, store) })),
    total,
  }
  return json(200, list)
}

export function traceRow(trace: StoredTrace, store: ReadStore): TraceRow {
  const { change: _, level, root, givenName: __, rootName: ___, names: ____, public: _____, ...rest } = trace
  return {
    ...rest,
    environment: rest.environment ?? 'default',
    level: LEVELS[level] ?? 'DEFAULT',
    open: root === 0,
    scores: marksOf(trace.traceId, store),
  }
}

export function marksOf(traceId: string, { scores }: ReadStore): ScoreMark[] {
  const found = scores.find({ sql: 'WHERE traceId = ? ORDER BY timestamp, seq LIMIT ?', values: [traceId, SCORES] })
  return found.map(scoreFor).map(markOf)
}

export function markOf({ id, name, value, dataType, comment, observationId, source }: Score): ScoreMark {
  return { id, name, value, dataType, comment, observationId, source }
}
