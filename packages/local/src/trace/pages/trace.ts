import { type Answer, json, notFound } from '../../http/answer.ts'
import type { Call } from '../../http/router.ts'
import { decodedOrNull } from '../../json-text.ts'
import type { ReadService } from '../../service.ts'
import type { ExperimentItem, StoredObservation } from '../../store/observation.ts'
import { costOf, tokensOf } from '../../store/trace.ts'
import { type ChatContent, chatContentOf } from '../chat/view.ts'
import { type ScoreMark, type TraceRow, traceRow } from './trace-list.ts'

/** An observation as the tree of a trace shows it. Times are microseconds since 1970. */
export interface Outline
  extends Pick<
    StoredObservation,
    | 'id'
    | 'parentId'
    | 'type'
    | 'name'
    | 'level'
    | 'statusMessage'
    | 'startTime'
    | 'endTime'
    | 'completionStartTime'
    | 'model'
  > {
  /** Tokens of both sides, cached and reasoning ones included. */
  readonly tokens: { readonly input: number; readonly output: number; readonly total: number }
  /** US dollars; null when unknown. */
  readonly cost: number | null
  /** The cost was not sent: it is by the built-in prices. */
  readonly estimated: boolean
}

/** A trace with all of its observations, without what they say. */
export interface TraceOutline {
  readonly trace: TraceRow
  /** By start. */
  readonly observations: readonly Outline[]
  /** Of the trace and of its observations. */
  readonly scores: readonly ScoreMark[]
  readonly experiment: Pick<ExperimentItem, 'id' | 'name' | 'itemId'> | null
}

/** All that is known of one observation. */
export interface Detail
  extends Outline,
    Pick<
      StoredObservation,
      | 'traceId'
      | 'usage'
      | 'modelParameters'
      | 'metadata'
      | 'promptName'
      | 'promptVersion'
      | 'environment'
      | 'version'
      | 'release'
      | 'userId'
      | 'sessionId'
      | 'tags'
    > {
  /** Decoded where it is JSON. */
  readonly input: unknown
  readonly output: unknown
  /** By kind, as sent. */
  readonly costs: Readonly<Record<string, number>>
  /** The halves that are a chat. */
  readonly chat: { readonly input: ChatContent | null; readonly output: ChatContent | null }
}

/** `GET /viewer/traces/{traceId}` */
export function getTrace({ params }: Call, { store }: ReadService): Answer {
  const traceId = params.traceId ?? ''
  const stored = store.traces.one({ traceId })
  if (!stored) throw notFound(`No trace ${traceId}`)
  const trace = traceRow(stored, store)
  const observations = store.outline(traceId)
  const { id, name, itemId } = observations.find((each) => each.experiment !== null)?.experiment ?? {}
  const outline: TraceOutline = {
    trace,
    observations: observations.map(outlineOf),
    scores: trace.scores,
    experiment: id === undefined || name === undefined || itemId === undefined ? null : { id, name, itemId },
  }
  return json(200, outline)
}

/** `GET /viewer/traces/{traceId}/observations/{id}` */
export function getTraceObservation({ params }: Call, { store }: ReadService): Answer {
  const { traceId = '', id = '' } = params
  const [stored] = store.observations({ sql: 'WHERE traceId = ? AND id = ?', values: [traceId, id] })
  if (!stored) throw notFound(`No observation ${id}`)
  const { usage, modelParameters, metadata, promptName, promptVersion } = stored
  const { environment, version, release, userId, sessionId, tags } = stored
  const detail: Detail = {
    ...outlineOf(stored),
    ...{ traceId, usage, modelParameters, metadata, promptName, promptVersion },
    ...{ environment, version, release, userId, sessionId, tags },
    costs: stored.cost,
    ...contentOf(stored),
  }
  return json(200, detail)
}

/** Returns what went in and out, decoded where it is JSON, and as a chat where it is one. */
export function contentOf(stored: StoredObservation): Pick<Detail, 'input' | 'output' | 'chat'> {
  const { input, output } = stored
  const chat = { input: chatContentOf(stored, input) ?? null, output: chatContentOf(stored, output) ?? null }
  return { input: decodedOrNull(input), output: decodedOrNull(output), chat }
}

function outlineOf(stored: StoredObservation): Outline {
  const { id, parentId, type, name, level, statusMessage, startTime, endTime, completionStartTime, model } = stored
  const { usd, estimated } = costOf(stored)
  const times = { startTime, endTime, completionStartTime }
  const tokens = tokensOf(stored.usage)
  return { id, parentId, type, name, level, statusMessage, ...times, model, tokens, cost: usd, estimated }
}
