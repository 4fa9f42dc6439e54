import type { StreamAccumulator } from '../gen-ai/accumulator.ts'
import { Accumulator, byType } from '../gen-ai/accumulator.ts'
import type { ResponseContent } from '../gen-ai/content.ts'
import { countsAsOutput, object } from '../gen-ai/merge.ts'
import { asName, asRecord, type Fields } from '../gen-ai/read.ts'
import { describeFailure } from '../record/error.ts'

/**
 * Creates an accumulator for the messages of a tool's task, which ends with a result or an error message.
 *
 * @param read reads the result
 */
export function createTaskAccumulator(read: (result: Fields) => ResponseContent): StreamAccumulator {
  return new Accumulator({
    toDelta: byType('type', {
      taskCreated: ({ task }) => ({ task: asRecord(task) }),
      result: ({ result }) => ({ result: asRecord(result) }),
      error: ({ error }) => ({ failed: { error } }),
    }),
    table: { task: object, result: countsAsOutput(object), failed: object },
    isComplete: ({ result, failed }) => result !== undefined || failed !== undefined,
    readResponse({ task, result, failed }) {
      const metadata = task === undefined ? undefined : { task_id: asName(asRecord(task).taskId) }
      if (failed) return { metadata, failure: describeTaskFailure(asRecord(failed).error) }
      return { ...(result ? read(asRecord(result)) : {}), metadata }
    },
  })
}

export function describeTaskFailure(error: unknown): NonNullable<ResponseContent['failure']> {
  const { message, exception } = describeFailure(error)
  return { type: Object(exception).name, message }
}
