import { isSpanContextValid, type Span, trace } from '@opentelemetry/api'
import { keepAlive } from '@svc/core/keep-alive'
import { log, messageOf } from '@svc/core/log'
import type { ScoreBody } from '@svc/core/score'
import type { Clock } from '../clock.ts'
import { checkScore } from './check-score.ts'
import { ScoreOutbox, type ScoreOutboxParts } from './score-outbox.ts'
import { HOLD_MS, ScoreQueue, type ScoreQueueOptions } from './score-queue.ts'
import { ScoreSender, type ScoresApi } from './send-scores.ts'

/** A score whose trace and observation are known already. */
export type ScoreData = Omit<ScoreBody, 'traceId' | 'sessionId' | 'observationId' | 'datasetRunId'>

export interface ScoreManagerParts extends Pick<ScoreQueueOptions, 'flushAt' | 'flushEvery' | 'exitTimeout'> {
  readonly api: ScoresApi
  /** The way at the end of the process; undefined where there is nowhere to send to. */
  readonly lastHop?: Pick<ScoreOutboxParts, 'transport' | 'requestOf'> | undefined
  /** Where the scores go, for messages. */
  readonly destination: string
  readonly clock: Pick<Clock, 'now'>
  /** Of scores that name none. */
  readonly environment: string | undefined
}

/**
 * `client.score`: scores are queued and sent in the background, 100 at most in a request. Nothing here throws; what
 * cannot be sent is said in the log.
 */
export class ScoreManager {
  readonly #parts: ScoreManagerParts
  readonly #sender: ScoreSender
  readonly #queue: ScoreQueue

  constructor(parts: ScoreManagerParts) {
    this.#parts = parts
    const { lastHop } = parts
    const sender = new ScoreSender(parts.api, parts)
    this.#sender = sender
    this.#queue = new ScoreQueue({
      ...parts,
      send: sender.send,
      outboxOf: (batches) => lastHop && new ScoreOutbox(batches, { ...lastHop, onAnswer: sender.answered }),
      lose: sender.lose,
      unsaid: () => this.#sender.hasRest(),
      sayRest: () => this.#sender.reportRest(),
    })
  }

  /**
   * Queues a score of a trace, an observation, a session or a dataset run. Its timestamp is now.
   *
   * @example
   * client.score.create({ traceId, name: 'user-feedback', value: 1, comment: 'exactly' })
   */
  create(data: ScoreBody): void {
    this.#quietly('create', () => this.#enqueue(data))
  }

  /** Queues a score of an observation. */
  observation(observation: { readonly otelSpan: Span }, data: ScoreData): void {
    this.#quietly('observation', () => this.#enqueue({ ...data, ...idsOf(observation) }))
  }

  /** Queues a score of the trace that an observation belongs to. */
  trace(observation: { readonly otelSpan: Span }, data: ScoreData): void {
    this.#quietly('trace', () => this.#enqueue({ ...data, traceId: idsOf(observation).traceId }))
  }

  /** Queues a score of the active observation; where none is active, says so and does nothing. */
  activeObservation(data: ScoreData): void {
    const otelSpan = activeSpan('activeObservation')
    if (otelSpan) this.observation({ otelSpan }, data)
  }

  /** Queues a score of the active trace; where none is active, says so and does nothing. */
  activeTrace(data: ScoreData): void {
    const otelSpan = activeSpan('activeTrace')
    if (otelSpan) this.trace({ otelSpan }, data)
  }

  /** Resolves when every score so far was sent, or is lost and said to be. Never rejects. */
  async flush(): Promise<void> {
    await keepAlive(this.#queue.flush(), HOLD_MS)
  }

  /**
   * The same, for the last time and within `SVC_SHUTDOWN_TIMEOUT`: what was not sent by then is lost, and said to be.
   * Never rejects.
   */
  async shutdown(): Promise<void> {
    await this.#queue.shutdown()
  }

  #enqueue(data: ScoreBody): void {
    if (typeof data !== 'object' || data === null) {
      log.error(
        `a score is dropped: expected an object with name and value, got ${data === null ? 'null' : typeof data}.`,
      )
      return
    }
    const { clock, environment } = this.#parts
    const score = {
      ...data,
      id: data.id || crypto.randomUUID(),
      environment: data.environment ?? environment,
      timestamp: new Date(clock.now()).toISOString(),
    }
    const checked = checkScore(score)
    if ('problem' in checked) log.error(`score ${quoted(data.name)} is dropped: ${checked.problem}.`)
    else if (!this.#queue.add(checked.text)) this.#sender.overflow()
  }

  // A getter of what was handed in may throw, and so may a span of a foreign make.
  #quietly(method: string, work: () => void): void {
    try {
      work()
    } catch (error) {
      log.error(`a score is dropped: score.${method} failed: ${messageOf(error)}`)
    }
  }
}

function idsOf({ otelSpan }: { readonly otelSpan: Span }): { traceId: string; observationId: string } {
  const spanContext = otelSpan.spanContext()
  // All zeros is no trace: the service would keep the score where nobody finds it.
  if (!isSpanContextValid(spanContext)) throw new Error('nothing traces the observation, so it has no trace id.')
  return { traceId: spanContext.traceId, observationId: spanContext.spanId }
}

function activeSpan(method: string): Span | undefined {
  const span = trace.getActiveSpan()
  if (!span) log.warn(`score.${method} does nothing, because no span is active: call it inside an observation.`)
  return span
}

function quoted(name: unknown): string {
  return typeof name === 'string'
    ? JSON.stringify(name.length > 80 ? `${name.slice(0, 79)}…` : name)
    : '(without a name)'
}
