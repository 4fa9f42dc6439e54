import { type Backoff, backoffMs } from '@svc/core/retry'
import type { ClientClock } from '../clock.ts'

const LONGEST_MS = 60_000
const BACKOFF: Backoff = { firstMs: 1_000, longestMs: LONGEST_MS, jitter: [0.9, 1.1] }
const TIME = /\d:\d\d/

/**
 * Returns the milliseconds until the next try, at most a minute: `Retry-After` (seconds or a date), else the time in
 * `X-RateLimit-Reset` (seconds since 1970 or a date) plus up to 20 %, else 1 s, 2 s, 4 s, …, ±10 %.
 */
export function pauseBefore(retry: number, headers: Headers, clock: ClientClock): number {
  const after = waitIn(headers.get('retry-after'), clock, 0)
  const reset = waitIn(headers.get('x-ratelimit-reset'), clock, clock.now())
  const requested = after ?? (reset && reset * (1 + 0.2 * clock.random()))
  return Math.min(LONGEST_MS, requested ?? backoffMs(retry, BACKOFF, clock))
}

/**
 * Returns the milliseconds until the time in a header: a date, or seconds since `origin`; undefined if it is not in the
 * future.
 */
function waitIn(header: string | null, clock: ClientClock, origin: number): number | undefined {
  const text = header?.trim()
  if (!text) return undefined
  if (/^\d+(\.\d+)?$/.test(text)) return inFuture(Number(text) * 1_000 - origin)
  // `Date.parse` of V8 takes `-5` for a month.
  return TIME.test(text) ? inFuture(Date.parse(text) - clock.now()) : undefined
}

const inFuture = (ms: number): number | undefined => (ms > 0 ? ms : undefined)
