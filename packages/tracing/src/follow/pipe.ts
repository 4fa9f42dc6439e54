import { builtin } from '@svc/core/builtin'
import { enter } from '@svc/core/enter'
import type { Piece, StreamListener } from './watched-stream.ts'

type Reader = ReadableStreamDefaultReader
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
  const signal = options?.signal
  const isPlain = destination instanceof WritableStream && !destination.locked
  if (!isPlain || !endsBoth(options) || !isPending(signal)) return undefined
  const writer = WritableStream.prototype.getWriter.call(destination)
  try {
    // Before there is a reader: who gets one has begun to read the stream, if that is followed twice.
    if (writer.desiredSize === 1) return new Pipe(getReader.call(stream) as Reader, writer, ending, signal).run()
  } catch (error) {
    writer.releaseLock()
    throw error
  }
  writer.releaseLock()
  return undefined
}

/** Node also reads what options inherit. */
function endsBoth(options: Parameters<ReadableStream['pipeTo']>[1]): boolean {
  if (options === undefined) return true
  return typeof options === 'object' && !(options?.preventClose || options?.preventAbort || options?.preventCancel)
}

function isPending(signal: AbortSignal | undefined): boolean {
  if (signal === undefined) return true
  addAbortListener ??= builtin('node:events')?.addAbortListener
  return addAbortListener !== undefined && signal instanceof AbortSignal && !signal.aborted
}

const ignore = () => {}

/** What has been written before the first chunk. */
const NOTHING = Promise.resolve()

/** Why a pipe ends before its source. */
interface Failure {
  readonly error: unknown
}

class Pipe {
  readonly #reader: Reader
  readonly #writer: WritableStreamDefaultWriter
  readonly #ending: StreamListener
  readonly #signal: AbortSignal | undefined
  #listening: Disposable | undefined
  #resolve: () => void = ignore
  #reject: (error: unknown) => void = ignore
  /** The last write. */
  #written = NOTHING
  /** From here on nothing is read or written. */
  #isOver = false

  constructor(
    reader: Reader,
    writer: WritableStreamDefaultWriter,
    ending: StreamListener,
    signal: AbortSignal | undefined,
  ) {
    this.#reader = reader
    this.#writer = writer
    this.#ending = ending
    this.#signal = signal
  }

  run(): Promise<void> {
    const within = enter(this.#ending.context)
    // The same for each chunk.
    const read = () => this.#reader.read()
    const next = () => {
      if (!this.#isOver && !this.#isFailing()) within(read).then(pass, fail)
    }
    const pass = ({ done, value }: Piece) => {
      if (this.#isOver) return
      if (done) return this.#close()
      this.#ending.onChunk(value)
      this.#written = this.#writer.write(value)
      this.#written.then(next, refuseWrite)
    }
    const fail = (error: unknown) => this.#fail(error)
    const refuse = (reason: unknown) => this.#refuse(reason)
    // Of one that is being closed. Why it has failed, and when, is reported by `closed`.
    const refuseWrite = (reason: unknown) => {
      if (!this.#isOver && !this.#isFailing()) refuse(reason)
    }
    if (this.#signal) this.#listening = addAbortListener?.(this.#signal, this.#abort)
    this.#writer.closed.then(() => this.#refuse(new TypeError('The destination is closed')), refuse)
    next()
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  /** The source has ended. */
  #close(): void {
    this.#isOver = true
    this.#ending.done()
    this.#writer.close().then(
      () => this.#settle(undefined),
      // A destination that has failed before refuses to be closed with another error.
      (error: unknown) => this.#finish(this.#writer.closed, { error }),
    )
  }

  /** The source has failed. What was read is written before the destination is aborted. */
  #fail(error: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#ending.fail(error)
    const abort = () => this.#finish(this.#writer.abort(error), { error })
    if (this.#isFailing()) abort()
    else this.#written.then(abort, (refused: unknown) => this.#settle({ error: refused }))
  }

  /** The destination has failed, or is closed. */
  #refuse(error: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#finish(this.#cancel(error), { error })
  }

  /** A chunk that has arrived is still written, and the source learns of it after the application's own listeners. */
  readonly #abort = (): void => void NOTHING.then(() => this.#stop(this.#signal?.reason))

  #stop(error: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    const cancel = (reported: unknown) => this.#finish(this.#cancel(error), { error: reported })
    const both = () => this.#finish(Promise.all([this.#writer.abort(error), this.#cancel(error)]), { error })
    if (this.#isFailing()) cancel(error)
    else this.#written.then(both, cancel)
  }

  /** Whether the destination has failed. Its `closed` is rejected only when the last write is over. */
  #isFailing(): boolean {
    return this.#writer.desiredSize === null
  }

  #cancel(reason: unknown): Promise<void> {
    if (this.#ending.cancelled) this.#ending.cancelled(reason)
    else this.#ending.done()
    return this.#reader.cancel(reason)
  }

  #finish(last: Promise<unknown>, failure?: Failure): void {
    last.then(
      () => this.#settle(failure),
      (error: unknown) => this.#settle({ error }),
    )
  }

  #settle(failure: Failure | undefined): void {
    this.#listening?.[Symbol.dispose]()
    this.#reader.releaseLock()
    this.#writer.releaseLock()
    if (failure) this.#reject(failure.error)
    else this.#resolve()
  }
}
