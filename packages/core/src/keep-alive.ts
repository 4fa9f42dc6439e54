/**
 * Keeps the process alive while `work` is pending, at most `limitMs`. All other timers and sockets are unref'd so that
 * telemetry never keeps a process alive, but `await processor.forceFlush()` as the last line must complete.
 */
export async function keepAlive<T>(work: Promise<T>, limitMs: number): Promise<T> {
  const hold = setTimeout(() => {}, limitMs)
  try {
    return await work
  } finally {
    clearTimeout(hold)
  }
}
