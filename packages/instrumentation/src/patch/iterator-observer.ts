import { attempt } from '@svc/core/attempt'
import { overrideMethod } from '@svc/core/override-method'
import type { StreamAccumulator } from '../gen-ai/accumulator.ts'
import { asRecord, type Fields, isMethod, isObject, isPromise } from '../gen-ai/read.ts'
import type { CallSpan } from '../record/call.ts'
import type { SettledHandler } from './tap-promise.ts'
import { promiseTap } from './tap-promise.ts'
import { wrapSteps } from './wrap-steps.ts'

/** The abort signals of a call. */
export interface AbortSignals {
  /** The signal passed with the request; null if none was passed, undefined if the library accepts none. */
  readonly request?: unknown
  /** The signal of the stream, which libraries abort themselves after an error. */
  readonly stream?: unknown
}

/** Receives the results of an iterator, and is notified when its reader leaves. */
export interface IteratorHandler extends SettledHandler {
  readerLeft(): void
  /** Called before the reader waits for the next result. */
  reads?(): void
}

/** Passes the chunks that an application reads to the call, and ends the call when reading stops. */
export class IteratorObserver implements IteratorHandler {
  readonly #call: CallSpan
  readonly #accumulator: StreamAccumulator
  readonly #signals: () => AbortSignals
  /** An object to keep alive as long as the iterator. */
  readonly retained: unknown
  /** How many results the reader waits for. */
  #awaited = 0
  #wasAborted = false

  /** @param signals some libraries end a cancelled stream without an error */
  constructor(call: CallSpan, accumulator: StreamAccumulator, signals: () => AbortSignals, retained?: unknown) {
    this.#call = call
    this.#accumulator = accumulator
    this.#signals = signals
    this.retained = retained
    call.setAccumulator(accumulator)
    attempt('follow the abort of a stream', () => this.#followAbort())
  }

  reads(): void {
    this.#awaited += 1
  }

  /** The next chunk, or the end of the stream. */
  value(result: unknown): void {
    this.#awaited -= 1
    const { done, value } = asRecord(result)
    if (done) this.#call.end(this.#accumulator.isComplete || !this.#isAborted() ? undefined : 'cancelled')
    else this.#call.onChunk(value)
    if (this.#wasAborted) this.aborted()
  }

  error(reason: unknown): void {
    this.#awaited -= 1
    const { request } = this.#signals()
    // If the library aborted the request itself, it timed out.
    this.#call.fail(reason, request === undefined ? undefined : isAborted(request))
  }

  /**
   * Called when the application leaves its loop. It may have read everything that it needs, possibly all of the
   * response.
   */
  readerLeft(): void {
    const early = this.#isAborted() ? 'cancelled' : 'stopped early'
    this.#call.end(this.#accumulator.isComplete ? undefined : early)
  }

  /** Called when a signal is aborted. */
  aborted(): void {
    this.#wasAborted = true
    if (this.#awaited <= 0) this.readerLeft()
  }

  /** A reader that waits is told of an abort, which the library makes of an error, too. If nobody reads, we are. */
  #followAbort(): void {
    const { request, stream } = this.#signals()
    // A signal may live longer than what it aborts.
    const weak = new WeakRef(this)
    const onAbort = () => attempt('end a call', () => weak.deref()?.aborted())
    const signals = [request, stream].filter((each) => each instanceof AbortSignal)
    for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true })
    this.#call.onEnd = () => {
      for (const signal of signals) signal.removeEventListener('abort', onAbort)
    }
  }

  #isAborted(): boolean {
    const { request, stream } = this.#signals()
    return isAborted(request) || isAborted(stream)
  }
}

/** Observes calls of an iterator. The iterator stays the library's own object. */
export function observeIterator(iterator: Fields, handler: IteratorHandler): void {
  const tap = promiseTap(handler)
  wrapSteps(iterator, (name, step) => {
    if (name === 'return') attempt('end a call', () => handler.readerLeft())
    const result = step()
    if (name !== 'next' || !isPromise(result)) return result
    handler.reads?.()
    return tap(result)
  })
}

/**
 * Observes the first iterator that a method of a stream opens. A later reader gets an error from the library, which is
 * not an error of the call, or the same chunks again.
 */
export function observeFirstIterator(stream: Fields, name: PropertyKey, handler: IteratorHandler): void {
  const open: unknown = Reflect.get(stream, name)
  if (!isMethod(open)) return
  let isObserved = false
  overrideMethod(stream, name, (...args) => {
    const iterator = open.apply(stream, args)
    if (!isObserved && isObject(iterator)) observeIterator(iterator, handler)
    isObserved = true
    return iterator
  })
}

export function isAborted(signal: unknown): boolean {
  return asRecord(signal).aborted === true
}
