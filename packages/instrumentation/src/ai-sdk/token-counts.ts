import type { Attributes } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import { asNumber, asRecord, defined } from '../gen-ai/read.ts'

/** The tokens as a model counts them: the spans of the SDK tell some, or all, in some of its versions and operations. */
export function tokenCounts(usage: unknown): Attributes {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, tokens } = asRecord(usage)
  const [input, output] = [asRecord(inputTokens), asRecord(outputTokens)]
  return defined({
    [GEN_AI.USAGE_INPUT_TOKENS]: asNumber(input.total) ?? asNumber(inputTokens) ?? asNumber(tokens),
    [GEN_AI.USAGE_OUTPUT_TOKENS]: asNumber(output.total) ?? asNumber(outputTokens),
    [GEN_AI.USAGE_CACHE_READ_INPUT_TOKENS]: asNumber(input.cacheRead) ?? asNumber(cachedInputTokens),
    [GEN_AI.USAGE_CACHE_CREATION_INPUT_TOKENS]: asNumber(input.cacheWrite),
    [GEN_AI.USAGE_REASONING_OUTPUT_TOKENS]: asNumber(output.reasoning) ?? asNumber(reasoningTokens),
  })
}
