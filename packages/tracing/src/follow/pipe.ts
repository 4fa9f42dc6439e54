import { enter } from '@svc/core/enter'
import type { Piece, StreamListener } from './watched-stream.ts'

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
  const [destination, { signal, ...others } = {}] = args as Parameters<ReadableStream['pipeTo']>
  const isPlain = destination instanceof WritableStream && !destination.locked
  const isSignal = signal === undefined || (signal instanceof AbortSignal && !signal.aborted)
  if (!isPlain || !isSignal || Object.keys(others).length > 0) return undefined
  const reader = getReader.call(stream) as Reader
  const writer = destination.getWriter()
  if (writer.desiredSize === 1) return new Pipe(reader, writer, ending, signal).run()
  reader.releaseLock()
  writer.releaseLock()
  return undefined
}

const ignore = () => {}

type Reader = ReadableStreamDefaultReader

/** Why a pipe ends before its source. */
interface Failure {
  readonly error: unknown
}

class Pipe {
  readonly #reader: Reader
  readonly #writer: WritableStreamDefaultWriter
  readonly #ending: StreamListener
  readonly #signal: AbortSignal | undefined
  #resolve: () => void = ignore
  #reject: (error: unknown) => void = ignore
  /** The last write. */
  #written: Promise<void> | undefined
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
      if (!this.#isOver) within(read).then(pass, fail)
    }
    const pass = ({ done, value }: Piece) => {
      if (this.#isOver) return
      if (done) return this.#close()
      this.#ending.onChunk(value)
      this.#written = this.#writer.write(value)
      this.#written.then(next, refuse)
    }
    const fail = (error: unknown) => this.#fail(error)
    const refuse = (reason: unknown) => this.#refuse(reason)
    this.#signal?.addEventListener('abort', this.#abort)
    this.#writer.closed.catch(refuse)
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
    this.#finish(this.#writer.close())
  }

  /** The source has failed. */
  #fail(error: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#ending.fail(error)
    this.#afterWrites(() => this.#finish(this.#writer.abort(error), { error }))
  }

  /** The destination has failed, or is closed. */
  #refuse(error: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#finish(this.#cancel(error), { error })
  }

  readonly #abort = (): void => {
    if (this.#isOver) return
    this.#isOver = true
    const error: unknown = this.#signal?.reason
    this.#afterWrites(() => this.#finish(Promise.all([this.#writer.abort(error), this.#cancel(error)]), { error }))
  }

  #cancel(reason: unknown): Promise<void> {
    if (this.#ending.cancelled) this.#ending.cancelled(reason)
    else this.#ending.done()
    return this.#reader.cancel(reason)
  }

  /** What was read is written before the destination is aborted. */
  #afterWrites(action: () => void): void {
    if (this.#written) this.#written.then(action, action)
    else action()
  }

  #finish(last: Promise<unknown>, failure?: Failure): void {
    last.then(
      () => this.#settle(failure),
      (error: unknown) => this.#settle({ error }),
    )
  }

  #settle(failure: Failure | undefined): void {
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#reader.releaseLock()
    this.#writer.releaseLock()
    if (failure) this.#reject(failure.error)
    else this.#resolve()
  }
}
