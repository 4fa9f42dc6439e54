import type { Usage } from './content.ts'

/** Counts beside those of the whole input and output, by the kinds that the service reads. */
const KINDS: readonly (readonly [kind: string, count: keyof Usage])[] = [
  ['input_cached_tokens', 'cacheRead'],
  ['input_cache_creation', 'cacheWrite'],
  ['input_cache_creation_5m', 'cacheWrite5m'],
  ['input_cache_creation_1h', 'cacheWrite1h'],
  ['input_audio_tokens', 'inputAudio'],
  ['output_reasoning_tokens', 'reasoning'],
  ['output_audio_tokens', 'outputAudio'],
  // These are part of the output and priced like it.
  ['accepted_prediction_tokens', 'acceptedPrediction'],
  ['rejected_prediction_tokens', 'rejectedPrediction'],
  ['web_search_requests', 'webSearches'],
]

/**
 * Returns token counts as the service reads and prices them: no count includes another, so they add up. Undefined if
 * nothing was counted.
 *
 * @param model by which the service prices them
 */
export function usageDetails(usage: Usage, model: string | undefined): Readonly<Record<string, number>> | undefined {
  const { input, output, cacheRead = 0, cacheWrite = 0, cacheWrite5m = 0, cacheWrite1h = 0 } = usage
  const { outputAudio = 0 } = usage
  // What is both cached and audio is cached.
  const inputAudio = Math.min(usage.inputAudio ?? 0, Math.max(0, (input ?? Infinity) - cacheRead - cacheWrite))
  // Claude models have no separate price for reasoning: counted separately it would cost nothing.
  const reasoning = usage.reasoning && !/claude/i.test(model ?? '') ? usage.reasoning : 0
  const each: Usage = { ...usage, reasoning, inputAudio, cacheWrite: toCount(cacheWrite - cacheWrite5m - cacheWrite1h) }
  const details: Record<string, number> = {}
  if (input !== undefined) details.input = toCount(input - cacheRead - cacheWrite - inputAudio)
  if (output !== undefined) details.output = toCount(output - reasoning - outputAudio)
  // Without iterators, as in readNumbers.
  for (let at = 0; at < KINDS.length; at++) {
    const row = KINDS[at] as (typeof KINDS)[number]
    const count = each[row[1]]
    if (count) details[row[0]] = toCount(count)
  }
  if (input !== undefined || output !== undefined) details.total = toCount((input ?? 0) + (output ?? 0))
  for (const _ in details) return details
  return undefined
}

/**
 * Returns a sum with its parts. Some vendors count a part beside it: LiteLLM what is in Anthropic's cache, Perplexity
 * reasoning. What is larger than the sum is not in it.
 */
export function withParts(sum: number | undefined, parts = 0): number | undefined {
  return sum !== undefined && parts > sum ? sum + parts : sum
}

/** The service drops fractions and negative numbers. */
function toCount(count: number): number {
  return Math.max(0, Math.round(count))
}
