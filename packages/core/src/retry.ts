import { type HttpRequest, type HttpResponse, type HttpSender, retryAfterMs } from './http-exchange.ts'
import { after } from './timers.ts'

/**
 * Whether a status is worth a retry: a time-out, too early, too many requests, an overloaded or failing server. The table
 * in docs/delivery.md says who retries how often, and why.
 */
export function isRetriable(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500
}

/** How long the pauses between tries are. */
export interface Backoff {
  readonly firstMs: number
  readonly longestMs: number
  /**
   * The least and the most of a pause, as factors: a random one is chosen, so that not all processes of a fleet try at
   * the same moment. Default: a half to the whole.
   */
  readonly jitter?: readonly [least: number, most: number]
}

/**
 * Returns the milliseconds until the next try: the first pause, doubled for each failure before, up to the longest.
 *
 * @param failures the failures in a row before this one
 */
export function backoffMs(
  failures: number,
  { firstMs, longestMs, jitter: [least, most] = [0.5, 1] }: Backoff,
  { random }: Pick<RetryClock, 'random'> = Math,
): number {
  return Math.min(longestMs, firstMs * 2 ** failures) * (least + (most - least) * random())
}

/**
 * Calls `send` until `pauseAfter` returns undefined for its outcome, and returns that outcome. Rejects if `send`,
 * `pauseAfter` or `sleep` does.
 *
 * @param pauseAfter returns the milliseconds until the next try; `tries` counts from 0
 */
export async function withRetries<T>(
  send: () => Promise<T>,
  pauseAfter: (outcome: T, tries: number) => number | undefined,
  sleep: (ms: number) => Promise<void>,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    const outcome = await send()
    const pause = pauseAfter(outcome, tries)
    if (pause === undefined) return outcome
    await sleep(pause)
  }
}

/** Time, randomness and sleep, replaceable in tests. */
export interface RetryClock {
  now(): number
  random(): number
  sleep(ms: number): Promise<void>
}

/** Its pauses do not keep the process alive. */
export const retryClock: RetryClock = {
  now: () => performance.now(),
  random: () => Math.random(),
  sleep: (ms) => new Promise((wake) => after(ms, wake)),
}

const BACKOFF: Backoff = { firstMs: 1_000, longestMs: 30_000 }

/**
 * A sender around a sender that retries after network errors and retriable statuses, within the `timeoutMs` of the
 * request, and after the pause of `Retry-After` if that is longer than its own. If no time is left for the pause, it
 * ends with the last response or error.
 */
export function retrying(
  sender: HttpSender,
  clock: RetryClock = retryClock,
  mostRetries = Number.POSITIVE_INFINITY,
): HttpSender {
  return {
    ...sender,
    async send(request) {
      const deadline = clock.now() + request.timeoutMs
      const outcome = await withRetries(
        () => outcomeOf(sender, { ...request, timeoutMs: Math.max(1, deadline - clock.now()) }),
        (result, tries) => {
          const isOver = tries >= mostRetries || !(result instanceof Error || isRetriable(result.status))
          // `Retry-After: 0` must not become a loop without a pause against an overloaded server.
          const requested = result instanceof Error ? undefined : retryAfterMs(result)
          const pause = Math.max(requested ?? 0, backoffMs(tries, BACKOFF, clock))
          return isOver || clock.now() + pause >= deadline ? undefined : pause
        },
        (ms) => clock.sleep(ms),
      )
      if (outcome instanceof Error) throw outcome
      return outcome
    },
  }
}

function outcomeOf(sender: HttpSender, request: HttpRequest): Promise<HttpResponse | Error> {
  return sender.send(request).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
}
