import { type Answer, json } from '../../http/answer.ts'
import { offset, oneOr, readParameters, trimmed, wholeTo } from '../../http/parameters.ts'
import type { Call } from '../../http/router.ts'
import type { ReadService } from '../../service.ts'
import { LEVELS } from '../../store/observation.ts'
import type { ReadStore } from '../../store/read-store.ts'
import { scoreFor } from '../../store/score.ts'
import { LEADING, type Preview, previewOf } from './preview.ts'
import { contentOf, type Detail } from './trace.ts'
import { markOf, type ScoreMark, type TraceRow, traceRow } from './trace-list.ts'

/** Traces that have a session, or a user, in common, with what the last one said. Times are microseconds since 1970. */
export interface Group extends Preview {
  readonly id: string
  readonly traces: number
  readonly startTime: number
  readonly endTime: number
  readonly tokens: number
  readonly cost: number | null
  readonly estimated: boolean
  readonly level: (typeof LEVELS)[number]
  /** Of a session: its user. Of a user: how many sessions. */
  readonly other: string | null
}

const PARAMETERS = { limit: oneOr(wholeTo(500), 100), offset, search: oneOr(trimmed, '') }

/** `GET /viewer/sessions`: the one that was active last first. */
export const listSessions = (call: Call, service: ReadService): Answer =>
  groups(call, service, 'sessionId', 'max(userId)')

/** `GET /viewer/users` */
export const listUsers = (call: Call, service: ReadService): Answer =>
  groups(call, service, 'userId', 'count(DISTINCT sessionId)')

function groups({ query }: Call, { store }: ReadService, column: 'sessionId' | 'userId', other: string): Answer {
  const { limit, offset: before, search } = readParameters(query, PARAMETERS)
  // Which ones is found in an index alone, and only their traces are read.
  const rows = store.query({
    sql: `WITH page AS (
        SELECT ${column} AS id, max(startTime) AS last FROM traces
        WHERE ${column} IS NOT NULL AND instr(lower(${column}), lower(?)) > 0
        GROUP BY ${column} ORDER BY last DESC LIMIT ? OFFSET ?
      )
      SELECT id, count(*) AS traces, min(startTime) AS startTime, max(endTime) AS endTime, sum(totalTokens) AS tokens,
        sum(cost) AS cost, max(estimated) AS estimated, max(level) AS level, ${other} AS other,
        (SELECT traceId FROM traces WHERE ${column} = id ORDER BY startTime DESC LIMIT 1) AS newest
      FROM page CROSS JOIN traces ON ${column} = id GROUP BY id ORDER BY last DESC`,
    values: [search, limit + 1, before],
  })
  const data = rows.slice(0, limit).map(
    (row): Group => ({
      id: String(row.id),
      traces: Number(row.traces),
      startTime: Number(row.startTime),
      endTime: Number(row.endTime),
      tokens: Number(row.tokens),
      cost: row.cost === null ? null : Number(row.cost),
      estimated: row.estimated === 1,
      level: LEVELS[Number(row.level)] ?? 'DEFAULT',
      other: row.other === null ? null : String(row.other),
      ...previewOf(String(row.newest), store),
    }),
  )
  return json(200, { data, more: rows.length > limit })
}

/** One trace of a session, with its input and output. */
export interface Turn extends Pick<Detail, 'input' | 'output' | 'chat'> {
  readonly trace: TraceRow
}

/** A session as a conversation. */
export interface Session {
  readonly turns: readonly Turn[]
  readonly scores: readonly ScoreMark[]
  /** Number of its traces. */
  readonly total: number
}

/** `GET /viewer/sessions/{sessionId}`: its traces in the order of time. */
export function getSession({ params, query }: Call, { store }: ReadService): Answer {
  const values = [params.sessionId ?? '']
  const { offset: before } = readParameters(query, { offset })
  const rows = store.traces.find({
    sql: 'WHERE sessionId = ? ORDER BY startTime, seq LIMIT 100 OFFSET ?',
    values: [...values, before],
  })
  const session: Session = {
    turns: rows.map((row) => ({ trace: traceRow(row, store), ...turnOf(row.traceId, store) })),
    scores: store.scores
      .find({ sql: 'WHERE sessionId = ? ORDER BY timestamp LIMIT 200', values })
      .map(scoreFor)
      .map(markOf),
    total: store.traces.count({ sql: 'WHERE sessionId = ?', values }),
  }
  return json(200, session)
}

function turnOf(traceId: string, store: ReadStore): Omit<Turn, 'trace'> {
  const [observation] = store.observations({
    sql: `WHERE ${LEADING}`,
    values: [traceId],
  })
  if (!observation) return { input: null, output: null, chat: { input: null, output: null } }
  return contentOf(observation)
}
