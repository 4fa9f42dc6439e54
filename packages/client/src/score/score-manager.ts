import type { Span } from '@opentelemetry/api'
import { isSpanContextValid, trace } from '@svc/core/api'
import { foreignText } from '@svc/core/foreign-text'
import type { SvcHealth } from '@svc/core/health'
import { log, messageOf } from '@svc/core/log'
import { ownFields } from '@svc/core/own'
import { OFF } from '@svc/core/registry'
import type { ScoreBody } from '@svc/core/score'
import { type TraceScored, traceScored } from '@svc/core/span-events'
import { warnFew } from '@svc/core/warn-few'
import { checkScore } from './check-score.ts'
import { SvcScoreError } from './score-error.ts'
import type { ScoreQueue } from './score-queue.ts'

/** A score without its target. */
export type ScoreData = Omit<ScoreBody, 'traceId' | 'sessionId' | 'observationId' | 'datasetRunId'>

/**
 * `client.score`: queues scores and sends them in the background, at most 100 per request. Methods do not throw; scores
 * that cannot be sent are logged.
 */
export class ScoreManager {
  readonly #queue: ScoreQueue | undefined
  readonly #environment: string | undefined

  /**
   * @param queue undefined without a valid base URL
   * @param environment environment of scores that do not name one
   */
  constructor(queue: ScoreQueue | undefined, environment: string | undefined) {
    this.#queue = queue
    this.#environment = environment
  }

  /**
   * Queues a score of a trace, an observation, a session or a dataset run. Its timestamp is now.
   *
   * @example
   * client.score.create({ traceId, name: 'user-feedback', value: 1, comment: 'exactly' })
   */
  create(data: ScoreBody): void {
    this.#tryOrLog('create', () => this.#enqueue(data))
  }

  /**
   * Sends a score at once, in a separate request. Resolves with its id when the service has accepted it.
   *
   * @throws {SvcScoreError} (as a rejection) with the reason: the service rejects it or cannot be reached. In the
   * latter case the score stays queued and is retried.
   */
  async createAndWait(data: ScoreBody): Promise<{ id: string }> {
    let score: Readable
    try {
      score = this.#readable(data)
    } catch (error) {
      throw new SvcScoreError(`The score was not sent: ${foreignText(messageOf(error))}`)
    }
    if ('problem' in score) throw new SvcScoreError(`The score was not sent: ${score.problem}.`)
    await this.#queue?.deliver(score.text)
    return { id: score.id }
  }

  /** Queues a score of an observation. */
  observation(observation: { readonly otelSpan: Span }, data: ScoreData): void {
    this.#tryOrLog('observation', () => this.#enqueue({ ...data, ...idsOf(observation) }))
  }

  /** Queues a score of the trace that an observation belongs to. */
  trace(observation: { readonly otelSpan: Span }, data: ScoreData): void {
    this.#tryOrLog('trace', () => this.#enqueue({ ...data, traceId: idsOf(observation).traceId }))
  }

  /** Queues a score of the active observation; if none is active, logs a warning and does nothing. */
  activeObservation(data: ScoreData): void {
    const otelSpan = activeSpan('activeObservation')
    if (otelSpan) this.observation({ otelSpan }, data)
  }

  /** Queues a score of the active trace; if none is active, logs a warning and does nothing. */
  activeTrace(data: ScoreData): void {
    const otelSpan = activeSpan('activeTrace')
    if (otelSpan) this.trace({ otelSpan }, data)
  }

  /**
   * Resolves when every score so far is accepted, or when waiting is pointless: the service cannot be reached (the
   * scores are retried later), or 30 seconds have passed. Logs lost scores. Never rejects.
   */
  async flush(): Promise<void> {
    await this.#queue?.flush()
  }

  /**
   * Flushes for the last time, within `SVC_SHUTDOWN_TIMEOUT`: scores that are not sent by then are lost and logged.
   * Never rejects.
   */
  async shutdown(): Promise<void> {
    await this.#queue?.shutdown()
  }

  /** Returns the state of delivery, and counts of all scores: `ended = sent + pending + dropped`. */
  health(): SvcHealth {
    return this.#queue?.health() ?? OFF
  }

  #enqueue(data: ScoreBody): void {
    const score = this.#readable(data)
    if ('text' in score) this.#queue?.add(score.text)
    else if (isObject(data)) log.error(`score ${quoted(data.name)} is dropped: ${score.problem}.`)
    else log.error(`a score is dropped: ${score.problem}.`)
  }

  #readable(data: ScoreBody): Readable {
    if (!isObject(data)) {
      return { problem: `expected an object with name and value, got ${data === null ? 'null' : typeof data}` }
    }
    if (!this.#queue) return { problem: 'the base URL is not valid. Set SVC_BASE_URL' }
    const given = ownFields(data)
    const id = given.id || crypto.randomUUID()
    const environment = given.environment ?? this.#environment
    const checked = checkScore({ ...given, id, environment, timestamp: new Date().toISOString() })
    if ('problem' in checked) return checked
    const { traceId } = given
    if (traceId && traceScored?.hasSubscribers) traceScored.publish({ traceId } satisfies TraceScored)
    return { ...checked, id }
  }

  // Getters of the data may throw, and so may spans of other libraries.
  #tryOrLog(method: string, work: () => void): void {
    try {
      work()
    } catch (error) {
      log.error(`a score is dropped: score.${method} failed: ${messageOf(error)}`)
    }
  }
}

/** A score as JSON, or the reason why it cannot be sent. */
type Readable = { readonly id: string; readonly text: string } | { readonly problem: string }

function isObject(data: unknown): boolean {
  return typeof data === 'object' && data !== null
}

function idsOf({ otelSpan }: { readonly otelSpan: Span }): { traceId: string; observationId: string } {
  const spanContext = otelSpan.spanContext()
  // With an id of zeros, the score would belong to no trace.
  if (!isSpanContextValid(spanContext)) throw new Error('nothing traces the observation, so it has no trace id.')
  return { traceId: spanContext.traceId, observationId: spanContext.spanId }
}

function activeSpan(method: string): Span | undefined {
  const span = trace.getActiveSpan()
  if (!span) warnFew(`score.${method} does nothing, because no span is active: call it inside an observation.`)
  return span
}

function quoted(name: unknown): string {
  return typeof name === 'string' ? JSON.stringify(foreignText(name, 80)) : '(without a name)'
}
