import { attempt } from '@svc/core/attempt'
import type { ResponseContent } from '../gen-ai/content.ts'
import { asRecord, type Method } from '../gen-ai/read.ts'
import type { SettledHandler } from '../patch/tap-promise.ts'
import type { CallSpan } from '../record/call.ts'
import type { ModelEndpoint } from './endpoint.ts'
import { followStream, isStream } from './follow-stream.ts'

/** A promise of the library, which parses the response once it is awaited. */
export interface LazyPromise {
  readonly parsedPromise?: unknown
}

/** Calls a method of the promise, `owner`, with `args` and observes what it returns. */
export type ObserveMethod = (follower: Follower, method: Method, owner: unknown, args: unknown[]) => unknown

/** Receives events from the promise, the stream and the response of one call. Only these reference it. */
export class Follower implements SettledHandler {
  readonly call: CallSpan
  readonly operation: ModelEndpoint
  /** Whether the library itself parses the response. */
  isParsing = false
  #hasResponse = false
  /** The promises from which the application can read the response. */
  readonly promises: LazyPromise[] = []

  constructor(call: CallSpan, operation: ModelEndpoint) {
    this.call = call
    this.operation = operation
    // Only from then on: a call whose promise is dropped may still succeed or fail.
    call.onResponse = () => this.#endWhenUnread()
  }

  /** An awaited response is parsed by the library, so it needs no watching by the garbage collector. */
  #endWhenUnread(): void {
    for (const { parsedPromise } of this.promises.splice(0)) if (parsedPromise !== undefined) return
    this.call.endWithReader(this)
  }

  /** Reads the parsed response. Only the first call counts: every step of a promise chain passes the same value. */
  value(value: unknown): void {
    if (this.#hasResponse) return
    this.#hasResponse = true
    if (isStream(value)) {
      this.call.endWithReader(this)
      attempt('follow a stream', () => followStream(value, this))
    } else {
      this.call.endWithResponse(attempt('read an answer', readResponse, this.operation, value) ?? {})
    }
  }

  error(error: unknown): void {
    this.call.fail(error)
  }
}

function readResponse(operation: ModelEndpoint, response: unknown): ResponseContent {
  // Some endpoints return plain text.
  return operation.readResponse(typeof response === 'string' ? { text: response } : asRecord(response))
}
