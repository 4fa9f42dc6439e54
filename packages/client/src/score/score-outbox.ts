import { type HttpRequest, type HttpResponse, isSuccess, retryAfterMs } from '@svc/core/http-exchange'
import type { Outbox, Outgoing } from '@svc/core/outbox'
import type { Transport } from '@svc/core/transport'
import { isRetriable } from '../api/pause.ts'

/** Milliseconds until a batch is tried again that did not get through. */
const PAUSE_MS = 250
/** Tries in a row without any answer, after which the service is not waited for. */
const UNREACHABLE_AFTER = 3

export interface ScoreOutboxParts {
  readonly transport: Transport
  readonly requestOf: (batch: readonly string[]) => HttpRequest
  /** Told of a batch that got a final answer. */
  readonly onAnswer: (batch: readonly string[], response: HttpResponse) => void
}

/** The last batches of scores, for the last hop. Each score has an id, so a second time does no harm. */
export class ScoreOutbox implements Outbox {
  readonly transport: Transport
  readonly #parts: ScoreOutboxParts
  readonly #waiting: (readonly string[])[]
  readonly #underWay = new Set<readonly string[]>()
  #until = 0
  #unanswered = 0

  constructor(batches: readonly (readonly string[])[], parts: ScoreOutboxParts) {
    this.#waiting = [...batches]
    this.#parts = parts
    this.transport = parts.transport
  }

  /** Those that have no final answer. */
  get batches(): readonly (readonly string[])[] {
    return [...this.#waiting, ...this.#underWay]
  }

  get scores(): number {
    return this.batches.flat().length
  }

  wait(): number | undefined {
    if (this.#waiting.length === 0 || this.#unanswered >= UNREACHABLE_AFTER) return undefined
    return Math.max(0, this.#until - performance.now())
  }

  take(): Outgoing | undefined {
    const batch = this.wait() === 0 ? this.#waiting.shift() : undefined
    if (!batch) return undefined
    this.#underWay.add(batch)
    return { request: this.#parts.requestOf(batch), settle: (outcome) => this.#settle(batch, outcome) }
  }

  #settle(batch: readonly string[], outcome: HttpResponse | Error): void {
    this.#underWay.delete(batch)
    this.#unanswered = outcome instanceof Error ? this.#unanswered + 1 : 0
    if (!(outcome instanceof Error) && (isSuccess(outcome) || !isRetriable(outcome.status))) {
      this.#parts.onAnswer(batch, outcome)
      return
    }
    const asked = outcome instanceof Error ? undefined : retryAfterMs(outcome)
    this.#until = Math.max(this.#until, performance.now() + Math.max(PAUSE_MS, asked ?? 0))
    this.#waiting.push(batch)
  }
}
