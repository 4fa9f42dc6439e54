import type { ExperimentLimits } from './experiment-types.ts'

/** The time limit of a task or evaluator, and the signal that aborts it. */
export interface Limit {
  readonly seconds: number | undefined
  readonly signal: AbortSignal | undefined
}

/** The longest time-out of a timer: about 24 days. */
const LONGEST_MS = 2_147_483_647

/**
 * Runs `work` with a limit: rejects at its time limit, or when it is aborted, even if the work ignores its signal. A
 * later outcome is ignored.
 */
export async function limited<T>(
  what: string,
  { seconds, signal }: Limit,
  work: (limits: ExperimentLimits) => T | PromiseLike<T>,
): Promise<Awaited<T>> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  let stop = (reason: unknown): void => controller.abort(reason)
  const cut = new Promise<never>((_, reject) => {
    stop = (reason) => {
      controller.abort(reason)
      reject(reason)
    }
  })
  const aborted = () => stop(signal?.reason)
  signal?.addEventListener('abort', aborted, { once: true })
  // This timer keeps the process alive, because the caller waits for the outcome.
  const timer =
    seconds === undefined
      ? undefined
      : setTimeout(
          () => stop(new Error(`${what} took longer than ${seconds} s (timeoutInSeconds)`)),
          Math.min(seconds * 1_000, LONGEST_MS),
        )
  try {
    return await Promise.race([work({ abortSignal: controller.signal }), cut])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', aborted)
  }
}
