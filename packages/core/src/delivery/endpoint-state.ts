import type { Cause } from '../losses.ts'
import { type Clock, hostClock } from './clock.ts'

/** Requests under way at once. */
const CONCURRENCY = 4

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000
/** Milliseconds between two looks whether an endpoint that refuses us still does. */
const PROBE_MS = 60_000
/** How much later than `Retry-After` says: not every process of a fleet may come at the same moment. */
const RETRY_AFTER_JITTER = 0.1
/** Tries in a row without any answer, after which nobody waits for the endpoint any more. */
const UNREACHABLE_AFTER = 3

/** Failures in a row from which on nobody cuts a pause short: where each request of a server flushes, none would be left. */
const HURRY_BELOW = 5

export type Phase = 'ok' | 'paused' | 'refused'

/**
 * What is known of the endpoint, shared by all batches: whether it takes requests, or when to ask again. After a
 * failure one request at a time finds out; what it finds holds for all.
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
  #askedUntil = 0
  #cause: Cause | undefined
  #lastSuccess = Number.NEGATIVE_INFINITY

  constructor(clock: Clock = hostClock, concurrency: number = CONCURRENCY) {
    this.#clock = clock
    this.#concurrency = concurrency
  }

  get phase(): Phase {
    return this.#phase
  }

  /** What was the matter, unless all is well. */
  get cause(): Cause | undefined {
    return this.#cause
  }

  /** When a request succeeded last, by the clock. */
  get lastSuccess(): number {
    return this.#lastSuccess
  }

  /** Several tries in a row found nobody, so there is no point in waiting for it. */
  get isUnreachable(): boolean {
    return this.#unanswered >= UNREACHABLE_AFTER
  }

  /** The last try found nobody. */
  get isUnanswered(): boolean {
    return this.#unanswered > 0
  }

  /** Milliseconds until a request may start: 0 when it may now; undefined as long as all places are taken. */
  wait(underWay: number): number | undefined {
    if (this.#phase === 'ok') return underWay < this.#concurrency ? 0 : undefined
    return underWay === 0 ? Math.max(0, this.#until - this.#clock.now()) : undefined
  }

  /** Whether it is not worth waiting `ms` for it. */
  isHopeless(ms: number): boolean {
    if (this.#phase === 'ok') return false
    return this.#phase === 'refused' || this.#until - this.#clock.now() > ms || this.isUnreachable
  }

  /**
   * Somebody waits: the pause that we chose ourselves is over, unless several tries in a row have failed. What the
   * endpoint asked for stands.
   */
  hurry(): void {
    const isWorthIt = this.#phase === 'paused' && this.#failures < HURRY_BELOW && !this.isUnreachable
    if (isWorthIt) this.#until = Math.max(this.#clock.now(), this.#askedUntil)
  }

  /** @param startedAt when the request started: what started before the pause does not end it */
  succeeded(startedAt: number): void {
    this.#lastSuccess = this.#clock.now()
    if (this.#phase !== 'ok' && startedAt < this.#since) return
    this.#phase = 'ok'
    this.#failures = 0
    this.#unanswered = 0
    this.#askedUntil = 0
    this.#cause = undefined
  }

  /** Somebody waited in vain: nobody waits again until it has answered. */
  gaveUp(): void {
    this.#unanswered = UNREACHABLE_AFTER
  }

  /**
   * @param startedAt when the request started: what started before the pause has learned nothing new
   * @param afterMs what `Retry-After` asks for
   */
  failed(cause: Cause, startedAt: number, { afterMs = 0, answered = true } = {}): void {
    const now = this.#clock.now()
    const isNews = this.#phase === 'ok' || startedAt >= this.#since
    if (isNews) {
      this.#cause = cause
      this.#failures += 1
      this.#unanswered = answered ? 0 : this.#unanswered + 1
    } else if (this.#phase === 'refused') return
    // Never at once, whatever `Retry-After` says: that would be a loop against an endpoint in need.
    const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#failures - 1))
    const own = longest / 2 + (this.#clock.random() * longest) / 2
    const asked = afterMs * (1 + RETRY_AFTER_JITTER * this.#clock.random())
    if (asked > own) this.#askedUntil = Math.max(this.#askedUntil, now + asked)
    this.#enter('paused', now + Math.max(own, asked), isNews)
  }

  /** It answers, and takes nothing from us as we are. */
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
