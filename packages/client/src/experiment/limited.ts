import type { ExperimentLimits } from './experiment-types.ts'

/** How long one piece of work may take, and what else may end it. */
export interface Limit {
  readonly seconds: number | undefined
  readonly signal: AbortSignal | undefined
}

/** The longest wait that a timer can be set to: some 24 days. */
const LONGEST_MS = 2_147_483_647

/**
 * Does work that may take too long: rejects at its time limit, or when it is aborted, whether the work listens to its
 * signal or not. What it does after that is nobody's concern.
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
  // This timer keeps the process alive: somebody asked for a limit and waits for what comes of it.
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
