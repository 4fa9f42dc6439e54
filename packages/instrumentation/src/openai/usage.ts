import type { ResponseContent, Usage } from '../gen-ai/content.ts'
import { asName, asNumber, asRecord, type Fields, isObject } from '../gen-ai/read.ts'

/** Reads token counts of either API: chat has prompt and completion tokens, responses have input and output tokens. */
export function readOpenAiUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined
  const input = asRecord(usage.prompt_tokens_details ?? usage.input_tokens_details)
  const output = asRecord(usage.completion_tokens_details ?? usage.output_tokens_details)
  const reasoning = asNumber(output.reasoning_tokens)
  return {
    input: asNumber(usage.prompt_tokens ?? usage.input_tokens),
    output: readOutputTokens(usage, reasoning),
    cacheRead: asNumber(input.cached_tokens),
    cacheWrite: asNumber(input.cache_write_tokens),
    reasoning,
    inputAudio: asNumber(input.audio_tokens),
    outputAudio: asNumber(output.audio_tokens),
    acceptedPrediction: asNumber(output.accepted_prediction_tokens),
    rejectedPrediction: asNumber(output.rejected_prediction_tokens),
    // Perplexity's.
    webSearches: asNumber(usage.num_search_queries),
  }
}

/** xAI counts reasoning beside the completion, but in the total. */
function readOutputTokens(usage: Fields, reasoning: number | undefined): number | undefined {
  const output = asNumber(usage.completion_tokens ?? usage.output_tokens)
  if (!reasoning || output === undefined) return output
  const [input, total] = [asNumber(usage.prompt_tokens), asNumber(usage.total_tokens)]
  if (input === undefined || total === undefined) return output
  return Math.max(output, total - input)
}

/** Reads what determines the price of a call: its service tier, and its cost (OpenRouter, Perplexity). */
export function readPricing(service_tier: unknown, usage: unknown): Pick<ResponseContent, 'served' | 'cost'> {
  const tier = asName(service_tier)
  const { cost } = asRecord(usage)
  return {
    served: tier === undefined ? undefined : { service_tier: tier },
    cost: asNumber(cost) ?? asNumber(asRecord(cost).total_cost),
  }
}
