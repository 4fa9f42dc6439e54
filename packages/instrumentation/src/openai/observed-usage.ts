import { readDetails, toUsageDetails } from '../gen-ai/detailed-counts.ts'
import { asNumber, isObject } from '../gen-ai/read.ts'

/** Returns token counts by kind (contract 4.3): details of the input as `input_…`, of the output as `output_…`. */
export function readUsageDetails(usage: unknown): Record<string, number> | undefined {
  if (!isObject(usage)) return undefined
  const input = asNumber(usage.prompt_tokens ?? usage.input_tokens)
  const output = asNumber(usage.completion_tokens ?? usage.output_tokens)
  const total = asNumber(usage.total_tokens)
  const inputDetails = readDetails(usage.prompt_tokens_details ?? usage.input_tokens_details)
  const outputDetails = readDetails(usage.completion_tokens_details ?? usage.output_tokens_details)
  const { reasoning_tokens: reasoning = 0 } = outputDetails
  // xAI counts reasoning beside the output instead of as a part of it.
  const isApart = output !== undefined && reasoning > 0 && total === (input ?? 0) + output + reasoning
  const sums = { input, output: isApart ? output + reasoning : output, total }
  const details = toUsageDetails({ ...sums, inputDetails, outputDetails })
  return Object.keys(details).length > 0 ? details : undefined
}
