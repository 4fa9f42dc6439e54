/// <reference lib="es2024.promise" />
import { attempt } from '@svc/core/attempt'
import { builtin } from '@svc/core/builtin'
import { enter } from './enter.ts'
import type { Piece, StreamListener } from './watched-stream.ts'

type AddAbortListener = typeof import('node:events').addAbortListener

/** Node's, of which no other listener of the signal can stop the propagation. Looked for once. */
let addAbortListener: AddAbortListener | undefined

/**
 * Pipes a stream as its `pipeTo` does, and reports its chunks, end, failure and cancellation to `ending`. Without the
 * second stream that other ways to read need, which costs more than the observation of a short response.
 *
 * @param args the arguments of `pipeTo`
 * @returns undefined, and nothing has changed, unless they are a destination that takes one chunk at a time, and a signal
 */
export function pipe(
  stream: ReadableStream,
  getReader: ReadableStream['getReader'],
  ending: StreamListener,
  args: readonly unknown[],
): Promise<void> | undefined {
  const [destination, options] = args as Parameters<ReadableStream['pipeTo']>
  if (options !== undefined && typeof options !== 'object') return undefined
  const { signal, preventClose, preventAbort, preventCancel } = options ?? {}
  addAbortListener ??= builtin('node:events')?.addAbortListener
  const isPlain = destination instanceof WritableStream && !destination.locked
  const isSignal = signal === undefined || (signal instanceof AbortSignal && !signal.aborted)
  if (!isPlain || !isSignal || preventClose || preventAbort || preventCancel || !addAbortListener) return undefined
  const writer = WritableStream.prototype.getWriter.call(destination)
  try {
    // Before there is a reader: to get one is to read the stream, if that is followed twice.
    if (writer.desiredSize === 1) {
      return pass(() => getReader.call(stream) as ReadableStreamDefaultReader, writer, ending, signal)
    }
  } catch (error) {
    writer.releaseLock()
    throw error
  }
  writer.releaseLock()
  return undefined
}

/** Why a pipe ends before its source. */
interface Stop {
  readonly error: unknown
  readonly isAbort: boolean
}

/** The code of the error with which Node rejects what a reader has requested when it lets go of its stream. */
const RELEASED = 'ERR_INVALID_STATE'

/** One function for all chunks, which waits: callbacks would be called for each. */
function pass(
  getReader: () => ReadableStreamDefaultReader,
  writer: WritableStreamDefaultWriter,
  ending: StreamListener,
  signal: AbortSignal | undefined,
): Promise<void> {
  let reader = getReader()
  let stopped = undefined as Stop | undefined
  let isReading = false
  let isWriting = false
  let isClosing = false
  let isSourceOver = false
  const inside = enter(ending.context)
  const read = (): Promise<Piece> => reader.read()
  const piped = Promise.withResolvers<void>()

  async function passAll(): Promise<void> {
    let failed: Omit<Stop, 'isAbort'> | undefined
    while (!stopped) {
      let piece: Piece
      isReading = true
      try {
        piece = await inside(read)
      } catch (error) {
        isReading = false
        if (stopped && isReleased(error)) break
        ending.fail(error)
        await writer.abort(error)
        throw error
      }
      isReading = false
      // A signal that aborts right after the end arrives a moment later, and ends the pipe.
      if (piece.done) await undefined
      if (stopped) break
      if (piece.done) {
        ending.done()
        isClosing = true
        return await close(writer)
      }
      ending.onChunk(piece.value)
      isWriting = true
      try {
        await writer.write(piece.value)
      } catch (error) {
        failed = { error }
      }
      isWriting = false
      // Why it has failed is told by `closed`, as soon as nothing is written.
      if (isFailing(writer)) await writer.closed.catch((error) => failed && Object.assign(failed, { error }))
      if (failed) stop(failed.error, false)
    }
    const { error, isAbort } = stopped
    if (!isAbort) await cancel(error)
    // Node leaves the source alone where the last write fails after an abort.
    else if (failed) ended(error)
    else await Promise.all([writer.abort(error), cancel(error)])
    throw failed ? failed.error : error
  }

  function stop(error: unknown, isAbort: boolean): void {
    if (stopped) return
    stopped = { error, isAbort }
    if (isReading) stopReading()
    if (isAbort && mayBeStuck()) cancel(error).then(() => piped.reject(error), piped.reject)
  }

  /** The source may never answer. */
  function stopReading(): void {
    reader.releaseLock()
    reader = attempt('read a stream again', getReader) ?? reader
  }

  /** A destination that has failed may never end its last write. */
  function mayBeStuck(): boolean {
    return isWriting && isFailing(writer)
  }

  function cancel(reason: unknown): Promise<void> {
    ended(reason)
    return reader.cancel(reason)
  }

  function ended(reason: unknown): void {
    if (ending.cancelled) ending.cancelled(reason)
    else ending.done()
  }

  const abort = () => {
    if (isSourceOver && !mayBeStuck()) return
    // A moment later: a chunk that has arrived is still written, and the application's own listeners come first.
    queueMicrotask(() => stop(signal?.reason, true))
  }
  const listening = signal && addAbortListener?.(signal, abort)
  if (signal) {
    // An abort comes too late then, also while the last chunk is still written.
    const over = () => {
      isSourceOver = true
    }
    reader.closed.then(over, over)
  }
  writer.closed.then(
    () => isClosing || stop(new TypeError('The destination is closed'), false),
    (error) => stop(error, false),
  )
  passAll().then(piped.resolve, piped.reject)
  return piped.promise.finally(() => {
    listening?.[Symbol.dispose]()
    reader.releaseLock()
    writer.releaseLock()
  })
}

/** Whether the destination has failed. Its `closed` is rejected only when the last write is over. */
function isFailing(writer: WritableStreamDefaultWriter): boolean {
  return writer.desiredSize === null
}

function isReleased(error: unknown): boolean {
  return (error as { readonly code?: unknown } | undefined)?.code === RELEASED
}

async function close(writer: WritableStreamDefaultWriter): Promise<void> {
  try {
    await writer.close()
  } catch (error) {
    // A destination that has failed before refuses to be closed with another error.
    await writer.closed
    throw error
  }
}
