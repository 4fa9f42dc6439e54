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
  let reading = false
  let over = false
  /** What is to follow once the value that is on its way has been handed over. */
  let then: ((controller: ReadableStreamDefaultController<T>) => void) | undefined
  const close = (controller: ReadableStreamDefaultController<T>): void => {
    over = true
    ear.done?.()
    controller.close()
  }
  const fail = (controller: ReadableStreamDefaultController<T>, reason: unknown): void => {
    over = true
    ear.error?.(reason)
    controller.error(reason)
  }
  const settle = (controller: ReadableStreamDefaultController<T>): void => {
    if (!over && !reading) then?.(controller)
  }
  return new ReadableStream<T>(
    {
      start(controller) {
        // Also while nobody reads: a stream that fails drops what still waits in it.
        reader.closed.then(
          () => {
            then = close
            settle(controller)
          },
          (reason: unknown) => {
            then = () => fail(controller, reason)
            settle(controller)
          },
        )
      },
      pull(controller) {
        reading = true
        return reader.read().then(
          ({ done, value }) => {
            reading = false
            if (over) return
            if (!done) {
              ear.value?.(value)
              controller.enqueue(value)
            }
            settle(controller)
          },
          () => {
            reading = false
            settle(controller)
          },
        )
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
