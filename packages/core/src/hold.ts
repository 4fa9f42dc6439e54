/**
 * Keeps the process alive while `work` is pending, `limitMs` at most. Everything else here is unref'd so that telemetry
 * never holds a process open; but whoever writes `await processor.forceFlush()` as a last line means it.
 */
export async function holdingProcess(work: Promise<void>, limitMs: number): Promise<void> {
  const hold = setTimeout(() => {}, limitMs)
  try {
    await work
  } finally {
    clearTimeout(hold)
  }
}
