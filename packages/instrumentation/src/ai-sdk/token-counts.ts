import type { Attributes } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import { defined, fieldsOf, numberOf } from '../calls/read.ts'

/** The tokens as a model counts them: the spans of the SDK tell some, or all, in some of its versions and operations. */
export function tokenCounts(usage: unknown): Attributes {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, tokens } = fieldsOf(usage)
  const [input, output] = [fieldsOf(inputTokens), fieldsOf(outputTokens)]
  return defined({
    [GEN_AI.USAGE_INPUT_TOKENS]: numberOf(input.total) ?? numberOf(inputTokens) ?? numberOf(tokens),
    [GEN_AI.USAGE_OUTPUT_TOKENS]: numberOf(output.total) ?? numberOf(outputTokens),
    [GEN_AI.USAGE_CACHE_READ_INPUT_TOKENS]: numberOf(input.cacheRead) ?? numberOf(cachedInputTokens),
    [GEN_AI.USAGE_CACHE_CREATION_INPUT_TOKENS]: numberOf(input.cacheWrite),
    [GEN_AI.USAGE_REASONING_OUTPUT_TOKENS]: numberOf(output.reasoning) ?? numberOf(reasoningTokens),
  })
}
