/** Counts that are part of another count: the part is subtracted from the whole (contract 5.4). */
export const PARTS: Readonly<Record<'input' | 'output', readonly string[]>> = {
  input: ['input_cached_tokens', 'input_cache_creation', 'input_audio_tokens'],
  output: ['output_reasoning_tokens', 'output_audio_tokens'],
}

const SPELLINGS = {
  input: ['input_tokens', 'prompt_tokens', 'prompt', 'inputTokens', 'promptTokens', 'tokens'],
  output: ['output_tokens', 'completion_tokens', 'completion', 'outputTokens', 'completionTokens'],
  total: ['total_tokens', 'totalTokens'],
  input_cached_tokens: [
    'cache_read.input_tokens',
    'cache_read_input_tokens',
    'cached_input_tokens',
    'input_tokens.cached',
    'details.cached_tokens',
    'details.cache_read_tokens',
    'prompt_tokens_details.cached_tokens',
    'input_tokens_details.cached_tokens',
    'prompt_details.cache_read',
    'cachedInputTokens',
    'inputTokenDetails.cacheReadTokens',
  ],
  input_cache_creation: [
    'cache_creation.input_tokens',
    'cache_creation_input_tokens',
    'cache_write.input_tokens',
    'cache_write_tokens',
    'details.cache_write_tokens',
    'prompt_details.cache_write',
    'inputTokenDetails.cacheWriteTokens',
  ],
  input_audio_tokens: [
    'details.input_audio_tokens',
    'prompt_tokens_details.audio_tokens',
    'input_tokens_details.audio_tokens',
    'prompt_details.audio',
  ],
  output_reasoning_tokens: [
    'reasoning.output_tokens',
    'reasoning_tokens',
    'output_tokens.reasoning',
    'details.reasoning_tokens',
    'completion_tokens_details.reasoning_tokens',
    'output_tokens_details.reasoning_tokens',
    'completion_details.reasoning',
    'reasoningTokens',
    'outputTokenDetails.reasoningTokens',
  ],
  output_audio_tokens: [
    'details.output_audio_tokens',
    'completion_tokens_details.audio_tokens',
    'output_tokens_details.audio_tokens',
    'completion_details.audio',
  ],
} as const

/** Name of a count as conventions and libraries spell it (after their prefix) → name in the service. */
export const SERVICE_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(SPELLINGS).flatMap(([name, spellings]) => spellings.map((spelling) => [spelling, name])),
)
