import type { TimeInput } from '@opentelemetry/api'
import { endWhenCollected, type MissingEnd, type OpenCall, untrack } from '@svc/core/open-calls'
import { attempt } from './attempt.ts'
import { keepChunkTime } from './chunk-times.ts'

export type { MissingEnd } from '@svc/core/open-calls'

/** Some edge runtimes have no monotonic clock. Spans accept the times of both. */
const clock = typeof performance === 'object' ? () => performance.now() : () => Date.now()

/**
 * The life of a span that may wait for the rest of a result: it ends exactly once, at the latest when its result is
 * garbage-collected or the process ends. Subclasses hold the span and decide what is recorded.
 */
export abstract class SpanLife implements OpenCall {
  handle: OpenCall['handle']
  /** The context of its span, for a call whose chunks may be timed. */
  protected timedCall: object | undefined
  /** Start time in milliseconds, as of `performance.now()`. */
  readonly startedAt: number
  #lastActivity: number
  #lastChunk: number
  #hasChunk = false
  #ended = false

  /** @param startedAt a span without chunks needs none. Default: now */
  constructor(startedAt = clock()) {
    this.startedAt = startedAt
    this.#lastActivity = startedAt
    this.#lastChunk = startedAt
  }

  get ended(): boolean {
    return this.#ended
  }

  /** Whether a chunk of the result arrived. */
  get hasChunk(): boolean {
    return this.#hasChunk
  }

  /** Sets the time of the last activity: part of the result arrived or was requested. */
  touch(now = clock()): void {
    this.#lastActivity = now
  }

  /**
   * Called when a chunk of the result arrived.
   *
   * @returns seconds from the start to the first chunk, for the first chunk only
   */
  touchChunk(): number | undefined {
    this.touch()
    keepChunkTime(this.timedCall, (this.#lastActivity - this.#lastChunk) / 1_000)
    this.#lastChunk = this.#lastActivity
    if (this.#hasChunk) return undefined
    this.#hasChunk = true
    return (this.#lastActivity - this.startedAt) / 1_000
  }

  /** Ends the span when `reader` is collected: an object referenced by everything from which the rest can be read. */
  endWithReader(reader: object): void {
    if (!this.#ended) endWhenCollected(reader, this)
  }

  /** Ends the span without a result or an error. */
  abstract endWithout(missing: MissingEnd): void

  /**
   * Ends the span. Further calls have no effect.
   *
   * @param record writes what is recorded at the end; if it throws, the span ends nevertheless
   * @param at a number is milliseconds, as of `performance.now()`. Default: now
   */
  protected finish(record: () => void, at?: TimeInput): void {
    if (this.#ended) return
    this.#ended = true
    attempt('record the end of a span', record)
    untrack(this)
    this.close(at)
  }

  /** Ends the OpenTelemetry span and releases what belongs to it: libraries keep calls for longer than these last. */
  protected abstract close(at: TimeInput | undefined): void

  /** Returns the end time. For an unread result it is that of its last activity: garbage collection comes later. */
  protected endTime(outcome: string | undefined): number | undefined {
    return outcome === 'abandoned' ? this.#lastActivity : undefined
  }

  protected get lastActivity(): number {
    return this.#lastActivity
  }
}
