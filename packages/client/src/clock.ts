/** Time, randomness and sleep, replaceable in tests. */
export interface ClientClock {
  /** Milliseconds since 1970. */
  now(): number
  /** Returns a number from 0 to below 1. */
  random(): number
  /** Resolves after `ms`; rejects with the reason of `signal` when that is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const hostClock: ClientClock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const aborted = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', aborted)
        resolve()
      }, ms)
      if (signal?.aborted) aborted()
      else signal?.addEventListener('abort', aborted, { once: true })
    }),
}
