import type { StreamAccumulator } from '../gen-ai/accumulator.ts'
import { Accumulator, byType } from '../gen-ai/accumulator.ts'
import type { ResponseContent } from '../gen-ai/content.ts'
import { object, said } from '../gen-ai/merge.ts'
import { asRecord, type Fields } from '../gen-ai/read.ts'
import { describeFailure } from '../record/error.ts'

/**
 * How the task of a tool goes: it ends with a result or an error, as a message in either case.
 *
 * @param read reads the result
 */
export function taskListener(read: (result: Fields) => ResponseContent): StreamAccumulator {
  return new Accumulator({
    delta: byType('type', {
      result: ({ result }) => ({ result: asRecord(result) }),
      error: ({ error }) => ({ failed: { error } }),
    }),
    table: { result: said(object), failed: object },
    complete: ({ result, failed }) => result !== undefined || failed !== undefined,
    answer({ result, failed }) {
      if (failed) return { failure: failureOf(asRecord(failed).error) }
      return result ? read(asRecord(result)) : {}
    },
  })
}

function failureOf(error: unknown): NonNullable<ResponseContent['failure']> {
  const { message, exception } = describeFailure(error)
  return { type: Object(exception).name, message }
}
