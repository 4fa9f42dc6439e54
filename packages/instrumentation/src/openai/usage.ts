import type { ResponseContent, Usage } from '../gen-ai/content.ts'
import { readCost, readMetadataCost } from '../gen-ai/cost.ts'
import { type NumberTable, readNumbers } from '../gen-ai/parameters.ts'
import { asName, asNumber, asRecord, type Fields, isObject } from '../gen-ai/read.ts'

const COUNTS: NumberTable<keyof Usage> = [
  ['input', ['prompt_tokens', 'input_tokens']],
  ['output', ['completion_tokens', 'output_tokens']],
  // DeepSeek's, and Moonshot's.
  ['cacheRead', ['prompt_cache_hit_tokens', 'cached_tokens']],
  // Perplexity's.
  ['webSearches', ['num_search_queries']],
]
const INPUT_COUNTS: NumberTable<keyof Usage> = [
  ['cacheRead', ['cached_tokens']],
  ['cacheWrite', ['cache_write_tokens']],
  ['inputAudio', ['audio_tokens']],
]
const OUTPUT_COUNTS: NumberTable<keyof Usage> = [
  ['reasoning', ['reasoning_tokens']],
  ['outputAudio', ['audio_tokens']],
  ['acceptedPrediction', ['accepted_prediction_tokens']],
  ['rejectedPrediction', ['rejected_prediction_tokens']],
]

/** Reads token counts of either API: chat has prompt and completion tokens, responses have input and output tokens. */
export function readOpenAiUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined
  const { input, output, ...others } = readNumbers(usage, COUNTS)
  const ofInput = readNumbers(asRecord(usage.prompt_tokens_details ?? usage.input_tokens_details), INPUT_COUNTS)
  const ofOutput = readNumbers(asRecord(usage.completion_tokens_details ?? usage.output_tokens_details), OUTPUT_COUNTS)
  return {
    input,
    output: ofOutput.reasoning ? withReasoning(usage, output) : output,
    ...others,
    ...ofInput,
    ...ofOutput,
  }
}

/** xAI counts reasoning beside the completion, but in the total. */
function withReasoning(usage: Fields, output: number | undefined): number | undefined {
  const [input, total] = [asNumber(usage.prompt_tokens), asNumber(usage.total_tokens)]
  if (output === undefined || input === undefined || total === undefined) return output
  return Math.max(output, total - input)
}

/**
 * Reads what determines the price of a call: its service tier, and its cost.
 *
 * @param metadata of Vercel's gateway, which puts them into the message
 */
export function readPricing(
  service_tier: unknown,
  usage: unknown,
  metadata?: unknown,
): Pick<ResponseContent, 'served' | 'cost'> {
  const tier = asName(service_tier)
  return {
    served: tier === undefined ? undefined : { service_tier: tier },
    cost: readCost(usage) ?? readMetadataCost(metadata),
  }
}
