/** Whether a status is worth a retry: a time-out, too many requests, an overloaded or failing server. */
export function isRetriable(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
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
