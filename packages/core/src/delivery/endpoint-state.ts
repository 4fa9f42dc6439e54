import type { Cause } from '../losses.ts'
import { type Backoff, backoffMs } from '../retry.ts'
import { type Clock, hostClock } from './clock.ts'

/** Concurrent requests. */
const CONCURRENCY = 4

const BACKOFF: Backoff = { firstMs: 500, longestMs: 10_000 }
/** Milliseconds between two probes of an endpoint that refuses all requests. */
const PROBE_MS = 60_000
/** Jitter on top of `Retry-After`, so that not all processes of a fleet retry at the same moment. */
const RETRY_AFTER_JITTER = 0.1
/** Consecutive requests without an answer after which no flush waits for the endpoint. */
const UNREACHABLE_AFTER = 3

/** Consecutive failures from which a flush no longer skips the pause: a server that flushes per request would never pause. */
const SKIP_PAUSE_BELOW = 5

export type Phase = 'ok' | 'paused' | 'refused'

/**
 * The state of the endpoint, shared by all batches: whether it accepts requests, or when to try again. After a failure
 * one request at a time probes it; the result holds for all batches.
 */
export class EndpointState {
  readonly #clock: Clock
  readonly #concurrency: number
  #phase: Phase = 'ok'
  /** When the phase began, and when the next request may start. */
  #since = 0
  #until = 0
  #failures = 0
  #unanswered = 0
  #retryAfterUntil = 0
  #cause: Cause | undefined
  #lastSuccess = Number.NEGATIVE_INFINITY

  constructor(clock: Clock = hostClock, concurrency: number = CONCURRENCY) {
    this.#clock = clock
    this.#concurrency = concurrency
  }

  get phase(): Phase {
    return this.#phase
  }

  /** Why requests failed; undefined while they succeed. */
  get cause(): Cause | undefined {
    return this.#cause
  }

  /** Time of the last success, by the clock. */
  get lastSuccess(): number {
    return this.#lastSuccess
  }

  /** Several consecutive requests had no answer, so waiting for the endpoint is pointless. */
  get isUnreachable(): boolean {
    return this.#unanswered >= UNREACHABLE_AFTER
  }

  /** The last request had no answer. */
  get isUnanswered(): boolean {
    return this.#unanswered > 0
  }

  /** Milliseconds until a request may start: 0 for now; undefined while all concurrent requests are in use. */
  wait(underWay: number): number | undefined {
    if (this.#phase === 'ok') return underWay < this.#concurrency ? 0 : undefined
    return underWay === 0 ? Math.max(0, this.#until - this.#clock.now()) : undefined
  }

  /** Whether the endpoint will not accept a request within `ms`. */
  isHopeless(ms: number): boolean {
    if (this.#phase === 'ok') return false
    // One that refuses everything is waited for only while it is probed.
    const longest = this.#phase === 'refused' ? 0 : ms
    return this.#until - this.#clock.now() > longest || this.isUnreachable
  }

  /**
   * Ends our own backoff because a flush waits, unless several consecutive requests failed. A pause that the endpoint
   * requested stays.
   */
  skipPause(): void {
    const isWorthIt = this.#phase === 'paused' && this.#failures < SKIP_PAUSE_BELOW && !this.isUnreachable
    if (isWorthIt) this.#until = Math.max(this.#clock.now(), this.#retryAfterUntil)
  }

  /** @param startedAt when the request started: one that started before the pause does not end it */
  succeeded(startedAt: number): void {
    this.#lastSuccess = this.#clock.now()
    if (this.#phase !== 'ok' && startedAt < this.#since) return
    this.#phase = 'ok'
    this.#failures = 0
    this.#unanswered = 0
    this.#retryAfterUntil = 0
    this.#cause = undefined
  }

  /** Called when a flush ran out of time: no flush waits again until the endpoint has answered. */
  gaveUp(): void {
    this.#unanswered = UNREACHABLE_AFTER
  }

  /**
   * @param startedAt when the request started: one that started before the pause brings no new information
   * @param afterMs the pause requested by `Retry-After`
   */
  failed(cause: Cause, startedAt: number, { afterMs = 0, answered = true } = {}): void {
    const now = this.#clock.now()
    const isNews = this.#phase === 'ok' || startedAt >= this.#since
    if (isNews) {
      this.#cause = cause
      this.#failures += 1
      this.#unanswered = answered ? 0 : this.#unanswered + 1
    } else if (this.#phase === 'refused') return
    // Never at once, even for `Retry-After: 0`: that would be a loop against an overloaded endpoint.
    const backoff = backoffMs(this.#failures - 1, BACKOFF, this.#clock)
    const requested = afterMs * (1 + RETRY_AFTER_JITTER * this.#clock.random())
    if (requested > backoff) this.#retryAfterUntil = Math.max(this.#retryAfterUntil, now + requested)
    this.#enter('paused', now + Math.max(backoff, requested), isNews)
  }

  /** Called when the endpoint refuses every request with this configuration. */
  refused(cause: Cause): void {
    this.#cause = cause
    this.#unanswered = 0
    this.#enter('refused', this.#clock.now() + PROBE_MS * (1 + RETRY_AFTER_JITTER * this.#clock.random()), true)
  }

  #enter(phase: Phase, until: number, isNews: boolean): void {
    this.#until = isNews ? until : Math.max(this.#until, until)
    if (isNews) this.#since = this.#clock.now()
    this.#phase = phase
  }
}
