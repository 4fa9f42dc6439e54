import { setTimeout } from 'node:timers/promises'
import type { Clock } from '@svc/core/delivery/clock'
import { retryAfterMs } from '@svc/core/http-exchange'
import { type Backoff, backoffMs, isRetriable } from '@svc/core/retry'

/** The response of a failed request, which determines whether it is retried. */
export interface FailedAnswer {
  /** HTTP status; undefined without a response that could be read. */
  readonly status: number | undefined
  readonly headers: Headers | undefined
}

/** Time, chance and pauses, replaceable in tests. */
interface PausingClock extends Clock {
  /** Resolves after `ms`; rejects when `signal` is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

const hostClock: PausingClock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
}

const TRIES = 9
const BACKOFF: Backoff = { firstMs: 1_000, longestMs: 60_000, jitter: [0.9, 1.1] }

/**
 * Retries requests (429, 408, 5xx, no response) after the pause that the server requests, else 1 s, 2 s, 4 s, … If the
 * server requests a pause, all requests wait.
 */
export class Retries {
  readonly #signal: AbortSignal
  readonly #failureOf: (error: unknown) => FailedAnswer
  readonly #clock: PausingClock
  #reached = false
  #readyAt = 0

  constructor(signal: AbortSignal, failureOf: (error: unknown) => FailedAnswer, clock = hostClock) {
    this.#signal = signal
    this.#failureOf = failureOf
    this.#clock = clock
  }

  /** @throws the last error, or the reason of the signal */
  async with<T>(request: () => Promise<T>): Promise<T> {
    for (let retry = 0; ; retry++) {
      await this.#ready()
      try {
        const result = await request()
        this.#reached = true
        return result
      } catch (error) {
        this.#signal.throwIfAborted()
        const failure = this.#failureOf(error)
        if (!this.#isWorthARetry(failure, retry)) throw error
        await this.#pause(failure, retry)
      }
    }
  }

  #isWorthARetry({ status }: FailedAnswer, retry: number): boolean {
    if (retry + 1 >= TRIES) return false
    // A server that was never reached probably has the wrong address.
    if (status === undefined) return this.#reached
    this.#reached = true
    return isRetriable(status)
  }

  async #pause({ status, headers }: FailedAnswer, retry: number): Promise<void> {
    const requested = headers && retryAfterMs({ headers: Object.fromEntries(headers) })
    const pause = requested ?? backoffMs(retry, BACKOFF, this.#clock)
    if (requested !== undefined || status === 429) this.#readyAt = Math.max(this.#readyAt, this.#clock.now() + pause)
    else await this.#sleep(pause)
  }

  async #ready(): Promise<void> {
    this.#signal.throwIfAborted()
    // Another response may have extended the pause.
    for (let left = this.#left(); left > 0; left = this.#left()) await this.#sleep(left)
  }

  #left(): number {
    return this.#readyAt - this.#clock.now()
  }

  async #sleep(ms: number): Promise<void> {
    try {
      await this.#clock.sleep(ms, this.#signal)
    } catch {
      this.#signal.throwIfAborted()
    }
  }
}
