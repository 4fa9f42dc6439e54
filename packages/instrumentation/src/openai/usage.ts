import type { ResponseContent, Usage } from '../gen-ai/content.ts'
import { asName, asNumber, asRecord, type Fields, isObject } from '../gen-ai/read.ts'

/** Reads token counts of either API: chat has prompt and completion tokens, responses have input and output tokens. */
export function readOpenAiUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined
  const ofInput = asRecord(usage.prompt_tokens_details ?? usage.input_tokens_details)
  const ofOutput = asRecord(usage.completion_tokens_details ?? usage.output_tokens_details)
  const output = asNumber(usage.completion_tokens ?? usage.output_tokens)
  const reasoning = asNumber(ofOutput.reasoning_tokens)
  return {
    input: asNumber(usage.prompt_tokens ?? usage.input_tokens),
    output: reasoning ? withReasoning(usage, output) : output,
    cacheRead: asNumber(ofInput.cached_tokens),
    cacheWrite: asNumber(ofInput.cache_write_tokens),
    reasoning,
    inputAudio: asNumber(ofInput.audio_tokens),
    outputAudio: asNumber(ofOutput.audio_tokens),
    acceptedPrediction: asNumber(ofOutput.accepted_prediction_tokens),
    rejectedPrediction: asNumber(ofOutput.rejected_prediction_tokens),
    // Perplexity's.
    webSearches: asNumber(usage.num_search_queries),
  }
}

/** xAI counts reasoning beside the completion, but in the total. */
function withReasoning(usage: Fields, output: number | undefined): number | undefined {
  const [input, total] = [asNumber(usage.prompt_tokens), asNumber(usage.total_tokens)]
  if (output === undefined || input === undefined || total === undefined) return output
  return Math.max(output, total - input)
}

/** Reads what determines the price of a call: its service tier, and its cost (OpenRouter, Perplexity). */
export function readPricing(service_tier: unknown, usage: unknown): Pick<ResponseContent, 'served' | 'cost'> {
  const tier = asName(service_tier)
  const { cost } = asRecord(usage)
  return {
    served: tier === undefined ? undefined : { service_tier: tier },
    cost: isObject(cost) ? asNumber(cost.total_cost) : asNumber(cost),
  }
}
