import { type Context, context } from '@opentelemetry/api'

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
 * A stream that gives what `stream` gives, when it is asked and not before, and ends the observation when `stream`
 * ends, fails or is cancelled. What the source does to produce a chunk runs in the context of the observation.
 */
export function watchedStream(
  stream: ReadableStream,
  getReader: ReadableStream['getReader'],
  ending: StreamListener,
): ReadableStream {
  const bytes = isByteStream(stream, getReader)
  const reader = getReader.call(stream) as ReadableStreamDefaultReader
  const source = {
    async pull(controller: Controller) {
      try {
        const { done, value } = await context.with(ending.context, () => reader.read())
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

function isByteStream(stream: ReadableStream, getReader: ReadableStream['getReader']): boolean {
  const { stackTraceLimit } = Error
  // There is no other way to ask, and the stack of an error that nobody sees costs more than everything else here.
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
