import { defined, fieldsOf, isObject, numberOf } from '../calls/read.ts'
import type { Usage } from '../calls/result.ts'

/** Token counts in the words of either API: chat says prompt and completion, responses say input and output. */
export function usageOf(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined
  const input = fieldsOf(usage.prompt_tokens_details ?? usage.input_tokens_details)
  const output = fieldsOf(usage.completion_tokens_details ?? usage.output_tokens_details)
  return {
    input: numberOf(usage.prompt_tokens ?? usage.input_tokens),
    output: numberOf(usage.completion_tokens ?? usage.output_tokens),
    ...defined({
      cacheRead: numberOf(input.cached_tokens),
      cacheWrite: numberOf(input.cache_write_tokens),
      reasoning: numberOf(output.reasoning_tokens),
    }),
  }
}
