import type { ResponseContent, Usage } from '../gen-ai/content.ts'
import { readCost, readMetadataCost, trafficTier } from '../gen-ai/cost.ts'
import { type NumberTable, readNumbers } from '../gen-ai/parameters.ts'
import { asArray, asName, asNumber, asRecord, type Fields, isObject } from '../gen-ai/read.ts'
import { withParts } from '../gen-ai/usage.ts'

const COUNTS: NumberTable<keyof Usage> = [
  ['input', ['prompt_tokens', 'input_tokens']],
  ['output', ['completion_tokens', 'output_tokens']],
  // DeepSeek's, Moonshot's and Together's, Mistral's, LiteLLM's.
  ['cacheRead', ['prompt_cache_hit_tokens', 'cached_tokens', 'num_cached_tokens', 'cache_read_input_tokens']],
  ['cacheWrite', ['cache_creation_input_tokens']],
  // SGLang's and Perplexity's.
  ['reasoning', ['reasoning_tokens']],
  ['webSearches', ['num_search_queries']],
]
const INPUT_COUNTS: NumberTable<keyof Usage> = [
  // The last ones are Perplexity's.
  ['cacheRead', ['cached_tokens', 'cache_read_input_tokens']],
  ['cacheWrite', ['cache_write_tokens', 'cache_creation_tokens', 'cache_creation_input_tokens']],
  ['inputAudio', ['audio_tokens']],
]
/** LiteLLM's, of Anthropic. */
const LIFETIMES: NumberTable<keyof Usage> = [
  ['cacheWrite5m', ['ephemeral_5m_input_tokens']],
  ['cacheWrite1h', ['ephemeral_1h_input_tokens']],
]
const OUTPUT_COUNTS: NumberTable<keyof Usage> = [
  ['reasoning', ['reasoning_tokens']],
  ['outputAudio', ['audio_tokens']],
  ['acceptedPrediction', ['accepted_prediction_tokens']],
  ['rejectedPrediction', ['rejected_prediction_tokens']],
]
const TOOL_COUNTS: NumberTable<keyof Usage> = [['webSearches', ['web_search_requests']]]

/** Reads token counts of either API: chat has prompt and completion tokens, responses have input and output tokens. */
export function readOpenAiUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined
  const counts = readNumbers(usage, COUNTS)
  const add = (details: unknown, table: typeof COUNTS) =>
    void (isObject(details) && readNumbers(details, table, counts))
  // Transcriptions and sessions have those of one token.
  const ofInput = usage.prompt_tokens_details ?? usage.input_tokens_details ?? usage.input_token_details
  add(ofInput, INPUT_COUNTS)
  add(usage.completion_tokens_details ?? usage.output_tokens_details ?? usage.output_token_details, OUTPUT_COUNTS)
  // OpenRouter's.
  add(usage.server_tool_use ?? usage.server_tool_use_details, TOOL_COUNTS)
  const { cached_tokens_details, cache_creation_token_details } = asRecord(ofInput)
  add(cache_creation_token_details, LIFETIMES)
  // Cached audio counts as cached only.
  const cachedAudio = asNumber(asRecord(cached_tokens_details).audio_tokens) ?? 0
  if (counts.inputAudio !== undefined) counts.inputAudio = Math.max(0, counts.inputAudio - cachedAudio)
  const input = withParts(counts.input, (counts.cacheRead ?? 0) + (counts.cacheWrite ?? 0))
  return Object.assign(counts, {
    input,
    output: allOutput(withParts(counts.output, counts.reasoning), input, asNumber(usage.total_tokens)),
  })
}

/** xAI and Gemini count reasoning beside the completion, but in the total. */
export function allOutput(
  output: number | undefined,
  input: number | undefined,
  total: number | undefined,
): number | undefined {
  return output === undefined || input === undefined || total === undefined ? output : Math.max(output, total - input)
}

/**
 * Returns the token counts of a chat completion, wherever they are: beside the choices, in one of them (Moonshot), in a
 * field of Groq, or only among the timings of llama.cpp.
 */
export function findUsage({ usage, choices, x_groq, timings }: Fields): unknown {
  return usage ?? asRecord(x_groq).usage ?? asArray(choices).map(usageIn).find(isObject) ?? timedUsage(timings)
}

const usageIn = (choice: unknown) => asRecord(choice).usage

function timedUsage(timings: unknown): Fields | undefined {
  const { cache_n, prompt_n, predicted_n } = asRecord(timings)
  const [cached_tokens = 0, prompt] = [asNumber(cache_n), asNumber(prompt_n)]
  if (prompt === undefined) return undefined
  return { prompt_tokens: prompt + cached_tokens, completion_tokens: predicted_n, cached_tokens }
}

/**
 * Reads what determines the price of a call: its service tier, and its cost.
 *
 * @param metadata of Vercel's gateway, which puts them into the message, or beside embeddings and images
 */
export function readPricing(
  service_tier: unknown,
  usage: unknown,
  metadata?: unknown,
): Pick<ResponseContent, 'served' | 'cost'> {
  // By Vertex' compatible API.
  const { google } = asRecord(asRecord(usage).extra_properties)
  const tier = asName(service_tier) ?? trafficTier(asRecord(google).traffic_type)
  return {
    served: tier === undefined ? undefined : { service_tier: tier },
    cost: readCost(usage) ?? readMetadataCost(metadata),
  }
}
