import { attempt } from '@svc/core/attempt'
import { endWhenCollected } from '@svc/core/open-calls'
import { asRecord, type Fields, isMethod, isObject } from '../gen-ai/read.ts'
import type { CallSpan } from '../record/call.ts'
import { IteratorObserver, isAborted, observeFirstIterator, observeIterator } from './iterator-observer.ts'
import type { ResponseSpec } from './method-spec.ts'
import type { SettledHandler } from './tap-promise.ts'
import { wrapSteps } from './wrap-steps.ts'

/** Ends the call when a method settles, or follows the stream that it returned. */
export class MethodObserver implements SettledHandler {
  readonly #call: CallSpan
  readonly #method: ResponseSpec
  readonly #signal: unknown

  constructor(call: CallSpan, method: ResponseSpec, signal: unknown) {
    this.#call = call
    this.#method = method
    this.#signal = signal
  }

  value(value: unknown): void {
    const { createAccumulator, isLazy } = this.#method
    if (attempt('follow a result', () => this.#method.followResult?.(asRecord(value), this.#call))) return
    const stream = this.#method.findStream?.(asRecord(value)) ?? value
    if (createAccumulator && isObject(stream) && Symbol.asyncIterator in stream) {
      const signals = () => ({ request: this.#signal, stream: getSignal(stream) })
      const observer = new IteratorObserver(this.#call, createAccumulator(), signals)
      // Referenced only by what the application reads from.
      endWhenCollected(observer, this.#call)
      this.#call.responseStarted()
      // A generator does its work when it is read.
      if (isLazy) {
        attempt('read a stream within its call', () =>
          wrapSteps(stream, (name, step) => (name === 'next' ? this.#call.run(step) : step())),
        )
      }
      attempt('follow a stream', () => observeItems(stream, observer))
    } else {
      this.#call.endWithResponse(
        attempt('read an answer', () => this.#method.readResponse(asRecord(value), value)) ?? {},
      )
    }
  }

  error(error: unknown): void {
    const response = attempt('read an error', () => this.#method.readError?.(error))
    if (response) this.#call.endWithResponse(response)
    // If the library aborted the request itself, it timed out.
    const byCaller = this.#signal === undefined ? undefined : isAborted(this.#signal)
    this.#call.fail(
      error,
      byCaller,
      attempt('read a partial answer', () => this.#method.readPartial?.(error)),
    )
  }
}

/** Generators are their own iterators. */
function observeItems(stream: Fields, observer: IteratorObserver): void {
  if (isMethod(stream.next)) observeIterator(stream, observer)
  else observeFirstIterator(stream, Symbol.asyncIterator, observer)
}

/** Some streams have an abort controller of their own. */
function getSignal({ controller, abortController }: Fields): unknown {
  return asRecord(controller ?? abortController).signal
}
