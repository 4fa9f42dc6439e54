import { attempt } from '@svc/core/attempt'
import { abandonWithout } from '@svc/core/open-calls'
import type { Call } from '../calls/call.ts'
import type { Observer } from '../calls/observe.ts'
import { type Fields, fieldsOf, isObject } from '../calls/read.ts'
import { followIterator, isAborted, Reading } from '../calls/reading.ts'
import { isMethod, shadow } from '../calls/shadow.ts'
import type { ObservedMethod } from './method.ts'

/** Is told how a method ends, and follows the stream where that is what it gave. */
export class Follower implements Observer {
  readonly #call: Call
  readonly #method: ObservedMethod
  readonly #signal: unknown

  constructor(call: Call, method: ObservedMethod, signal: unknown) {
    this.#call = call
    this.#method = method
    this.#signal = signal
  }

  value(value: unknown): void {
    const { listen } = this.#method
    const stream = this.#method.streamIn?.(fieldsOf(value)) ?? value
    if (listen && isObject(stream) && Symbol.asyncIterator in stream) {
      const signals = () => ({ request: this.#signal, stream: signalOf(stream) })
      const reading = new Reading(this.#call, listen(), signals)
      // Held by what the application reads from, and by nothing else.
      abandonWithout(reading, this.#call)
      this.#call.arrive()
      attempt('follow a stream', () => followItems(stream, reading))
    } else {
      this.#call.answer(attempt('read an answer', () => this.#method.answer(fieldsOf(value))) ?? {})
    }
  }

  error(error: unknown): void {
    // What a library aborts itself is a timeout.
    this.#call.fail(error, this.#signal === undefined ? undefined : isAborted(this.#signal))
  }
}

/** Generators are their own iterators; other streams make one, for the first who asks. */
function followItems(stream: Fields, reading: Reading): void {
  if (isMethod(stream.next)) {
    followIterator(stream, reading)
    return
  }
  const open: unknown = Reflect.get(stream, Symbol.asyncIterator)
  if (!isMethod(open)) return
  let taken = false
  shadow(stream, Symbol.asyncIterator, (...args) => {
    const iterator = open.apply(stream, args)
    if (!taken && isObject(iterator)) followIterator(iterator, reading)
    taken = true
    return iterator
  })
}

/** Some streams can be aborted themselves. */
function signalOf({ controller, abortController }: Fields): unknown {
  return fieldsOf(controller ?? abortController).signal
}
