// Longer timers overflow and fire at once.
const LONGEST_MS = 2 ** 31 - 1

/** Starts a timer that does not keep the process alive. Cancel it with `clearTimeout`. */
export function after(ms: number, work: () => void): ReturnType<typeof setTimeout> {
  const timer = setTimeout(work, Math.min(ms, LONGEST_MS))
  // It is a number in browsers and edge runtimes.
  if (typeof timer === 'object') timer.unref?.()
  return timer
}

/** Resolves with the result of `work`, or with undefined after `ms`; rejects only if `work` does. */
export async function within<T>(work: PromiseLike<T>, ms: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<undefined>((resolve) => {
    timer = after(ms, () => resolve(undefined))
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves with the result of `work`; rejects if `work` does, or after `ms`. */
export async function inTime<T>(work: PromiseLike<T>, ms: number): Promise<T> {
  const done = await within(
    work.then((result) => ({ result })),
    ms,
  )
  if (!done) throw new Error(`no answer within ${ms / 1_000} s`)
  return done.result
}
