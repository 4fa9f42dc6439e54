import { attempt } from '../calls/attempt.ts'
import type { Call } from '../calls/call.ts'
import { abandonWithout } from '../calls/open-calls.ts'
import { fieldsOf } from '../calls/read.ts'
import { followStream, isStream } from './follow-stream.ts'
import type { Operation } from './operation.ts'

/** What the promise, the stream and the response of one call report to. Only they hold it. */
export class Follower {
  readonly call: Call
  readonly operation: Operation
  /** The library itself reads the response. */
  parsing = false
  #seen = false

  constructor(call: Call, operation: Operation) {
    this.call = call
    this.operation = operation
    abandonWithout(this, call)
  }

  /** Looks at the parsed answer, once, and passes it on: the same one comes by at every step of a chain of promises. */
  readonly see = <T>(value: T): T => {
    if (this.#seen) return value
    this.#seen = true
    if (isStream(value)) {
      attempt('follow a stream', () => followStream(value, this))
    } else {
      this.call.answer(attempt('read an answer', () => this.operation.answer(fieldsOf(value))) ?? {})
    }
    return value
  }

  /** Records an error and passes it on. */
  readonly fail = (error: unknown): never => {
    attempt('record an error', () => this.call.fail(error))
    throw error
  }
}
