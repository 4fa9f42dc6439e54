/**
 * Keeps the process alive while `work` is pending, `limitMs` at most. Everything else here is unref'd so that telemetry
 * never holds a process open; but whoever writes `await processor.forceFlush()` as a last line means it.
 */
export async function keepAlive<T>(work: Promise<T>, limitMs: number): Promise<T> {
  const hold = setTimeout(() => {}, limitMs)
  try {
    return await work
  } finally {
    clearTimeout(hold)
  }
}
