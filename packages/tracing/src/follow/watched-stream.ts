import type { Context } from '@opentelemetry/api'
import { context } from '@svc/core/api'
import { builtin } from '@svc/core/builtin'
import { ON_SERVER } from '@svc/core/on-server'

/** Receives the chunks and the end of a stream. */
export interface StreamListener {
  /** The context in which the source produces its chunks. */
  readonly context: Context
  onChunk(chunk: unknown): void
  done(): void
  fail(error: unknown): void
  /** Called when the reader cancels the stream. Default: `done()`. */
  cancelled?(reason: unknown): void
  /** Called with the object that has to be read for the stream to continue. */
  expectFrom(reader: object): void
}

/** The controller of a stream of bytes or of any chunks. */
interface Controller {
  enqueue(chunk: unknown): void
  close(): void
  error(reason: unknown): void
  readonly byobRequest?: { respond(bytes: number): void } | null | undefined
}

/** What a reader returns. */
interface Piece {
  readonly done: boolean
  readonly value?: unknown
}

/**
 * Returns a stream that reads `stream` only when it is read itself, and reports its chunks, end, failure and
 * cancellation to `ending`. The source produces its chunks in the context of the observation.
 *
 * @param bytes whether the stream supports BYOB readers, as `stream` does
 */
export function watchedStream(
  stream: ReadableStream,
  getReader: ReadableStream['getReader'],
  ending: StreamListener,
  bytes: boolean,
): ReadableStream {
  const reader = getReader.call(stream) as ReadableStreamDefaultReader
  const read = () => reader.read()
  const readInside = entering(ending.context, read)
  // The same for each chunk, as the callbacks below are.
  let controller: Controller
  const fail = (error: unknown) => {
    ending.fail(error)
    controller.error(error)
  }
  const pass = ({ done, value }: Piece) => {
    try {
      if (!done) {
        ending.onChunk(value)
        controller.enqueue(value)
        return
      }
      ending.done()
      controller.close()
      // A pending BYOB read settles only when it is answered.
      controller.byobRequest?.respond(0)
    } catch (error) {
      fail(error)
    }
  }
  const source = {
    // Without `async`, which would make two more promises for each chunk.
    pull(own: Controller) {
      controller = own
      return readInside().then(pass, fail)
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
 * Returns a function that does `work` in a context. Each `context.with` copies all async contexts of the application, so
 * on servers only the first call does, and the others return to where that was.
 */
function entering<R>(inner: Context, work: () => R): () => R {
  const hooks = ON_SERVER ? builtin('node:async_hooks') : undefined
  if (!hooks) return () => context.with(inner, work)
  let inside: InstanceType<typeof hooks.AsyncResource> | undefined
  return () => {
    inside ??= context.with(inner, () => new hooks.AsyncResource('SvcStream'))
    return inside.runInAsyncScope(work)
  }
}

/**
 * Whether a stream supports BYOB readers. The only way to find out is to try, and Node describes the whole stream in
 * the error: call it only where it matters.
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
