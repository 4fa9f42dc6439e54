import { attempt } from '@svc/core/attempt'
import { withFailure } from '../gen-ai/failure.ts'
import { asRecord, type Fields, isMethod, isObject, type Method } from '../gen-ai/read.ts'
import { beginJob } from '../jobs/job.ts'
import { IteratorObserver, observeFirstIterator } from '../patch/iterator-observer.ts'
import type { SettledHandler } from '../patch/tap-promise.ts'
import type { CallSpan } from '../record/call.ts'
import type { ModelEndpoint } from './endpoint.ts'

/** A promise of the library, which parses the response once it is awaited. */
export interface LazyPromise {
  readonly parsedPromise?: unknown
}

/** Calls a method of the promise, `owner`, with `args` and observes what it returns. */
export type ObserveMethod = (follower: PromiseFollower, method: Method, owner: unknown, args: unknown[]) => unknown

/** Receives what the promise of a request settles with, however it is read. */
export interface PromiseFollower extends SettledHandler {
  /** Whether the library itself parses the response. */
  isParsing: boolean
  /** Whether that method of one of the promises runs. */
  isCallingParse: boolean
  /** The promises from which the application can read the response. */
  readonly promises: LazyPromise[]
  /** Called with the response, before the library checks and changes it. */
  answered(value: unknown): void
}

/** Receives events from the promise, the stream and the response of one call. Only these reference it. */
export class CallFollower implements PromiseFollower {
  // `declare`, and set by the constructor: V8 initializes fields in a function of its own.
  declare readonly call: CallSpan
  declare readonly operation: ModelEndpoint
  declare isParsing: boolean
  declare isCallingParse: boolean
  /** The response, before the library checks and changes it. */
  declare private answer: unknown
  declare private hasResponse: boolean
  declare readonly promises: LazyPromise[]

  constructor(call: CallSpan, operation: ModelEndpoint) {
    this.call = call
    this.operation = operation
    this.isParsing = false
    this.isCallingParse = false
    this.answer = undefined
    this.hasResponse = false
    this.promises = []
    // Only from then on: a call whose promise is dropped may still succeed or fail.
    call.onResponse = () => {
      // An awaited response is parsed by the library, so it needs no watching by the garbage collector.
      for (const { parsedPromise } of this.promises.splice(0)) if (parsedPromise !== undefined) return
      call.endWithReader(this)
    }
  }

  /** Keeps the response that arrived: what the library does with it may still fail. */
  answered(value: unknown): void {
    if (!isStream(value)) this.answer ??= value
  }

  /** Reads the parsed response. Only the first call counts: every step of a promise chain passes the same value. */
  value(value: unknown): void {
    if (this.hasResponse) return
    this.hasResponse = true
    if (isStream(value)) {
      this.call.endWithReader(this)
      attempt('follow a stream', () => followStream(value, this))
    } else if (!this.#beginsJob(this.answer ?? value)) {
      this.call.endWithResponse(this.#read(this.answer ?? value) ?? {})
    }
    this.answer = undefined
  }

  error(error: unknown): void {
    this.call.fail(error, undefined, this.answer === undefined ? undefined : this.#read(this.answer))
    this.answer = undefined
  }

  #beginsJob(value: unknown): boolean | undefined {
    const { readJob, readResponse } = this.operation
    return readJob && attempt('follow a job', beginJob, { readJob, readResponse }, asRecord(value), this.call)
  }

  #read(value: unknown) {
    // Some endpoints return plain text.
    const response = typeof value === 'string' ? { text: value } : asRecord(value)
    return attempt('read an answer', () => withFailure(this.operation.readResponse(response), response))
  }
}

/** A stream of a Stainless client. Reading it, `tee()` and `toReadableStream()` all start with `iterator`. */
interface StainlessStream extends Fields {
  iterator: Method
  readonly controller?: unknown
}

function isStream(value: unknown): value is StainlessStream {
  return isObject(value) && isMethod(value.iterator) && Symbol.asyncIterator in value
}

/** Observes the chunks that the application reads from a stream, and how reading stops. */
function followStream(stream: StainlessStream, follower: CallFollower): void {
  const signals = () => ({ stream: asRecord(stream.controller).signal })
  const observer = new IteratorObserver(follower.call, follower.operation.createAccumulator(), signals, follower)
  observeFirstIterator(stream, 'iterator', observer)
}
