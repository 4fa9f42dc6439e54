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
  let controller: ReadableStreamDefaultController<T>
  let reading = false
  let over = false
  /** What is to follow once the value that is on its way has been handed over. */
  let then: (() => void) | undefined
  const close = (): void => {
    over = true
    ear.done?.()
    controller.close()
  }
  const fail = (reason: unknown): void => {
    over = true
    ear.error?.(reason)
    controller.error(reason)
  }
  const settle = (): void => {
    if (!over && !reading) then?.()
  }
  // Made once: they are called for each value.
  const handOver = ({ done, value }: Awaited<ReturnType<typeof reader.read>>): void => {
    reading = false
    if (over) return
    if (!done) {
      ear.value?.(value)
      controller.enqueue(value)
    }
    if (then) settle()
  }
  const failed = (): void => {
    reading = false
    settle()
  }
  return new ReadableStream<T>(
    {
      start(own) {
        controller = own
        // Also while nobody reads: a stream that fails drops what still waits in it.
        reader.closed.then(
          () => {
            then = close
            settle()
          },
          (reason: unknown) => {
            then = () => fail(reason)
            settle()
          },
        )
      },
      pull() {
        reading = true
        return reader.read().then(handOver, failed)
      },
      cancel(reason: unknown) {
        over = true
        ear.left?.()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
