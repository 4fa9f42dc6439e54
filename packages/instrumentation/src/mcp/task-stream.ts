import { Accumulator, byType } from '../calls/accumulator.ts'
import type { Listener } from '../calls/call.ts'
import { describeFailure } from '../calls/error.ts'
import { object, said } from '../calls/merge.ts'
import { type Fields, fieldsOf } from '../calls/read.ts'
import type { Answer } from '../calls/result.ts'

/**
 * How the task of a tool goes: it ends with a result or an error, as a message in either case.
 *
 * @param read reads the result
 */
export function taskListener(read: (result: Fields) => Answer): Listener {
  return new Accumulator({
    delta: byType('type', {
      result: ({ result }) => ({ result: fieldsOf(result) }),
      error: ({ error }) => ({ failed: { error } }),
    }),
    table: { result: said(object), failed: object },
    complete: ({ result, failed }) => result !== undefined || failed !== undefined,
    answer({ result, failed }) {
      if (failed) return { failure: failureOf(fieldsOf(failed).error) }
      return result ? read(fieldsOf(result)) : {}
    },
  })
}

function failureOf(error: unknown): NonNullable<Answer['failure']> {
  const { message, exception } = describeFailure(error)
  return { type: Object(exception).name, message }
}
