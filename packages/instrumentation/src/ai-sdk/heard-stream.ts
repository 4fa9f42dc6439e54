/** Who hears what is read of a stream. Never throws. */
export interface Ear<T> {
  value?(value: T): void
  /** Everything was read. */
  done?(): void
  error?(reason: unknown): void
  /** The reader gave up. */
  left?(): void
}

/**
 * The same stream, heard while it is read: nothing is read ahead, and ends, errors and cancellations pass at once. What
 * is no stream, or has a reader already, comes back as it is.
 */
export function heardStream<T>(stream: ReadableStream<T>, ear: Ear<T>): ReadableStream<T> {
  if (!(stream instanceof ReadableStream) || stream.locked) return stream
  const reader = stream.getReader()
  let cancelled = false
  return new ReadableStream<T>(
    {
      start(controller) {
        // Also while nobody reads: a stream that fails drops what still waits in it.
        reader.closed.then(
          () => {
            if (cancelled) return
            ear.done?.()
            controller.close()
          },
          (reason: unknown) => {
            ear.error?.(reason)
            controller.error(reason)
          },
        )
      },
      pull: (controller) =>
        reader.read().then(({ done, value }) => {
          if (done || cancelled) return
          ear.value?.(value)
          controller.enqueue(value)
        }, ignore),
      cancel(reason: unknown) {
        cancelled = true
        ear.left?.()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

/** The stream has failed, and `closed` says so. */
function ignore(): void {}
