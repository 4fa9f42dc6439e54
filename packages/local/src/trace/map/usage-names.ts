/**
 * Names of one count in `gen_ai.usage.` and `llm.token_count.`, the first one that is there wins. Every other key is
 * kept under its own name, and is part of no other count.
 */
export const SPELLINGS = {
  input: ['prompt_tokens', 'input_tokens', 'prompt'],
  output: ['completion_tokens', 'output_tokens', 'completion'],
  total: ['total_tokens', 'total'],
  input_cached_tokens: [
    'cache_read.input_tokens',
    'cache_read_input_tokens',
    'cache_read_tokens',
    'details.cache_read_input_tokens',
    'details.cache_read_tokens',
    'prompt_details.cache_read',
    'input_cached_tokens',
  ],
  input_cache_creation: [
    'cache_creation.input_tokens',
    'cache_creation_input_tokens',
    'cache_write_tokens',
    'details.cache_creation_input_tokens',
    'details.cache_write_tokens',
    'prompt_details.cache_write',
  ],
  output_reasoning_tokens: ['reasoning.output_tokens', 'completion_details.reasoning'],
  output_audio_tokens: ['completion_details.audio'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type CountName = keyof typeof SPELLINGS

/** Counts that are part of another count, and are subtracted from it. */
export const PARTS: Readonly<Record<'input' | 'output', readonly CountName[]>> = {
  input: ['input_cached_tokens', 'input_cache_creation'],
  output: ['output_reasoning_tokens', 'output_audio_tokens'],
}
