import type { Listener } from '../calls/call.ts'
import { describeFailure } from '../calls/error.ts'
import { type Fields, fieldsOf } from '../calls/read.ts'
import type { Answer } from '../calls/result.ts'

/** Hears how the task of a tool goes: it ends with a result or an error, as a message in either case. */
export class TaskListener implements Listener {
  readonly #read: (result: Fields) => Answer
  #last: Answer | undefined

  constructor(read: (result: Fields) => Answer) {
    this.#read = read
  }

  add(item: unknown): boolean {
    const { type, result, error } = fieldsOf(item)
    if (type === 'result') this.#last = this.#read(fieldsOf(result))
    if (type === 'error') this.#last = { failure: failureOf(error) }
    return type === 'result'
  }

  get complete(): boolean {
    return this.#last !== undefined
  }

  get answer(): Answer {
    return this.#last ?? {}
  }
}

function failureOf(error: unknown): NonNullable<Answer['failure']> {
  const { message, exception } = describeFailure(error)
  return { type: Object(exception).name, message }
}
