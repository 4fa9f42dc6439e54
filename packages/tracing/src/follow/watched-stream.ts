import type { Context } from '@opentelemetry/api'
import { enter } from './enter.ts'

/** Who wants to know how a stream ends. */
export interface StreamListener {
  /** What the source produces its chunks in. */
  readonly context: Context
  hear(chunk: unknown): void
  done(): void
  fail(error: unknown): void
  /** The reader wants no more of it. Default: that is an end like any other. */
  cancelled?(reason: unknown): void
  /** The stream goes on only if `reader` is read. */
  expectFrom(reader: object): void
}

/** Of a stream of any kind of chunks. */
interface Controller {
  enqueue(chunk: unknown): void
  close(): void
  error(reason: unknown): void
  readonly byobRequest?: { respond(bytes: number): void } | null | undefined
}

/**
 * A stream that reads `stream` only when it is read itself, and ends the observation when `stream`
 * ends, fails or is cancelled. What the source does to produce a chunk runs in the context of the observation.
 *
 * @param bytes whether it takes readers with a buffer of their own, as the stream itself does
 */
export function watchedStream(
  stream: ReadableStream,
  getReader: ReadableStream['getReader'],
  ending: StreamListener,
  bytes: boolean,
): ReadableStream {
  const reader = getReader.call(stream) as ReadableStreamDefaultReader
  const within = enter(ending.context)
  const read = () => reader.read()
  const source = {
    async pull(controller: Controller) {
      try {
        const { done, value } = await within(read)
        if (!done) {
          ending.hear(value)
          controller.enqueue(value)
          return
        }
        ending.done()
        controller.close()
        // A reader that brought a buffer of its own waits for the answer that there is nothing.
        controller.byobRequest?.respond(0)
      } catch (error) {
        ending.fail(error)
        controller.error(error)
      }
    },
    cancel(reason: unknown) {
      if (ending.cancelled) ending.cancelled(reason)
      else ending.done()
      return reader.cancel(reason)
    },
  }
  return bytes
    ? new ReadableStream({ ...source, type: 'bytes' as const }, { highWaterMark: 0 })
    : new ReadableStream(source, { highWaterMark: 0 })
}

/**
 * Whether a stream takes readers with a buffer of their own. There is no other way to ask than to try, and Node describes
 * the whole stream in the error that nobody sees: ask only where it matters.
 */
export function isByteStream(stream: ReadableStream, getReader: ReadableStream['getReader']): boolean {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    getReader.call(stream, { mode: 'byob' }).releaseLock()
    return true
  } catch {
    return false
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
