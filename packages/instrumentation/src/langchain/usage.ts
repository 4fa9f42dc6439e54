import type { Usage } from '../gen-ai/content.ts'
import { type DetailedCounts, readDetails } from '../gen-ai/detailed-counts.ts'
import { asNumber, asRecord, type Fields } from '../gen-ai/read.ts'

/** Reads the token counts of a message, or else the provider's for all messages. */
export function readUsage(message: Fields, llmOutput: Fields): DetailedCounts | undefined {
  const usage = asRecord(message.usage_metadata)
  const { promptTokens, completionTokens, totalTokens } = asRecord(llmOutput.tokenUsage)
  const input = asNumber(usage.input_tokens) ?? asNumber(promptTokens)
  const output = asNumber(usage.output_tokens) ?? asNumber(completionTokens)
  if (input === undefined && output === undefined) return undefined
  return {
    input,
    output,
    total: asNumber(usage.total_tokens) ?? asNumber(totalTokens),
    inputDetails: readDetails(usage.input_token_details),
    outputDetails: readDetails(usage.output_token_details),
  }
}

/** Converts to the GenAI conventions, where sums include details. */
export function toUsage({ input, output, inputDetails, outputDetails }: DetailedCounts): Usage {
  return {
    input,
    output,
    cacheRead: inputDetails.cache_read,
    cacheWrite: inputDetails.cache_creation,
    cacheWrite5m: inputDetails.ephemeral_5m_input_tokens,
    cacheWrite1h: inputDetails.ephemeral_1h_input_tokens,
    reasoning: outputDetails.reasoning,
    inputAudio: inputDetails.audio,
    outputAudio: outputDetails.audio,
  }
}
