import type { Usage } from '../gen-ai/content.ts'
import { asNumber, asRecord, defined, isObject } from '../gen-ai/read.ts'

/** Token counts in the words of either API: chat says prompt and completion, responses say input and output. */
export function usageOf(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined
  const input = asRecord(usage.prompt_tokens_details ?? usage.input_tokens_details)
  const output = asRecord(usage.completion_tokens_details ?? usage.output_tokens_details)
  return {
    input: asNumber(usage.prompt_tokens ?? usage.input_tokens),
    output: asNumber(usage.completion_tokens ?? usage.output_tokens),
    ...defined({
      cacheRead: asNumber(input.cached_tokens),
      cacheWrite: asNumber(input.cache_write_tokens),
      reasoning: asNumber(output.reasoning_tokens),
    }),
  }
}
