import { parseExactly } from '../../exact-json.ts'
import { type Answer, json, notFound } from '../../http/answer.ts'
import { oneOr, readParameters, trimmed } from '../../http/parameters.ts'
import type { Call } from '../../http/router.ts'
import { decodedExactly } from '../../json-text.ts'
import type { ReadService } from '../../service.ts'
import type { ExperimentItem, StoredObservation } from '../../store/observation.ts'
import type { ReadStore } from '../../store/read-store.ts'
import type { ReceivedLink, ReceivedSpan } from '../../store/received.ts'
import { costOf, tokensOf } from '../../store/trace.ts'
import { type ChatContent, chatContentOf } from '../chat/view.ts'
import { spansOf } from '../intake/spans.ts'
import { type OtlpRequest, otlpOf, receivedSpan } from '../otlp.ts'
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
  /** Spans of other traces that its roots link to: the caller, where the trace of that is not continued. */
  readonly linked: readonly Pick<ReceivedLink, 'traceId' | 'spanId'>[]
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
  /** Decoded where it is JSON, with numbers as they were sent. */
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
    linked: linkedTo(traceId, store),
  }
  return json(200, outline)
}

const ROOTS = 'WHERE traceId = ? AND parentId IS NULL ORDER BY startTime, seq LIMIT 10'

function linkedTo(traceId: string, store: ReadStore): TraceOutline['linked'] {
  const links = store.spans({ sql: ROOTS, values: [traceId] }).flatMap((span) => receivedSpan(span).links)
  const others = links.flatMap(({ traceId: other, spanId }) =>
    other === traceId ? [] : [[other + spanId, { traceId: other, spanId }] as const],
  )
  return [...new Map(others).values()].slice(0, 10)
}

/** `GET /viewer/traces/{traceId}/observations/{id}` */
export function getTraceObservation({ params }: Call, { store }: ReadService): Answer {
  const { traceId = '', id = '' } = params
  const [stored] = store.observations({ sql: 'WHERE traceId = ? AND id = ?', values: [traceId, id] })
  if (!stored) throw notFound(`No observation ${id}`)
  const { usage, promptName, promptVersion } = stored
  const { environment, version, release, userId, sessionId, tags } = stored
  const [row] = store.query({
    sql: 'SELECT metadata, modelParameters FROM observations WHERE traceId = ? AND id = ?',
    values: [traceId, id],
  })
  const detail: Detail = {
    ...outlineOf(stored),
    ...{ traceId, usage, promptName, promptVersion },
    metadata: parseExactly(String(row?.metadata)) as Detail['metadata'],
    modelParameters: parseExactly(String(row?.modelParameters)) as Detail['modelParameters'],
    ...{ environment, version, release, userId, sessionId, tags },
    costs: stored.cost,
    ...contentOf(stored),
  }
  return json(200, detail)
}

/** A span with all that is shown nowhere else, and the request that it came in. */
export interface SpanDetail {
  readonly span: ReceivedSpan
  readonly otlp: OtlpRequest
}

/** `GET /viewer/traces/{traceId}/observations/{id}/span`: a {@link SpanDetail}. */
export function getSpan({ params }: Call, { store }: ReadService): Answer {
  const { traceId = '', id = '' } = params
  const [stored] = store.spans({ sql: 'WHERE traceId = ? AND id = ?', values: [traceId, id] })
  if (stored === undefined) throw notFound(`No observation ${id}`)
  const otlp = otlpOf(stored)
  const [span] = spansOf(otlp)
  return json(200, { span, otlp } as SpanDetail)
}

/** Columns that a search within a trace looks at. */
const SEARCHED = ['id', 'name', 'statusMessage', 'model', 'input', 'output', 'metadata']
const FOUND = SEARCHED.map((column) => `instr(lower(${column}), lower(?1)) > 0`).join(' OR ')

/** `GET /viewer/traces/{traceId}/found?text=…`: the ids of the observations that have the text, by start. */
export function findInTrace({ params, query }: Call, { store }: ReadService): Answer {
  const { text } = readParameters(query, { text: oneOr(trimmed, '') })
  const sql = `SELECT id FROM observations WHERE traceId = ?2 AND (${FOUND}) ORDER BY startTime, seq`
  const rows = text === '' ? [] : store.query({ sql, values: [text, params.traceId ?? ''] })
  return json(
    200,
    rows.map(({ id }) => id),
  )
}

/** Returns what went in and out, decoded where it is JSON, and as a chat where it is one. */
export function contentOf(stored: StoredObservation): Pick<Detail, 'input' | 'output' | 'chat'> {
  const { input, output } = stored
  const decode = (text: string | null) => (text === null ? null : decodedExactly(text))
  const chat = (text: string | null) => chatContentOf(stored, text, decodedExactly) ?? null
  return { input: decode(input), output: decode(output), chat: { input: chat(input), output: chat(output) } }
}

function outlineOf(stored: StoredObservation): Outline {
  const { id, parentId, type, name, level, statusMessage, startTime, endTime, completionStartTime, model } = stored
  const { usd, estimated } = costOf(stored)
  const times = { startTime, endTime, completionStartTime }
  const tokens = tokensOf(stored.usage)
  return { id, parentId, type, name, level, statusMessage, ...times, model, tokens, cost: usd, estimated }
}
