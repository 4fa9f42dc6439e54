import type { Attributes } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import { asNumber, asRecord, defined, type Fields } from '../gen-ai/read.ts'
import { pricing, rawUsage } from './pricing.ts'
import type { AttributeDialect } from './streamed-output.ts'
import { withVendorCounts } from './usage.ts'

/**
 * Returns the token counts in a model's answer, and what else determines its price. Some versions and operations of the SDK record only some of them.
 *
 * @param answer of a model, or its last chunk
 */
export function tokenCounts(answer: unknown, dialect: AttributeDialect): Attributes {
  const counts = countsOf(asRecord(answer), dialect)
  return { ...counts, ...pricing(asRecord(answer), counts, dialect) }
}

function countsOf(answer: Fields, dialect: AttributeDialect): Attributes {
  const { usage, providerMetadata } = answer
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, tokens } = asRecord(usage)
  const [input, output] = [asRecord(inputTokens), asRecord(outputTokens)]
  const cache = anthropicCache(providerMetadata)
  const total = asNumber(input.total) ?? asNumber(inputTokens) ?? asNumber(tokens)
  // Anthropic does not count cached tokens among the input, and before version 6 the SDK does not either.
  const cached = total !== undefined && total === cache?.without ? (cache.read ?? 0) + (cache.write ?? 0) : 0
  const sdkCounts = defined({
    [GEN_AI.USAGE_INPUT_TOKENS]: total === undefined ? undefined : total + cached,
    [GEN_AI.USAGE_OUTPUT_TOKENS]: asNumber(output.total) ?? asNumber(outputTokens),
    [GEN_AI.USAGE_CACHE_READ_INPUT_TOKENS]: asNumber(input.cacheRead) ?? asNumber(cachedInputTokens) ?? cache?.read,
    [GEN_AI.USAGE_CACHE_CREATION_INPUT_TOKENS]: asNumber(input.cacheWrite) ?? cache?.write,
    [GEN_AI.USAGE_REASONING_OUTPUT_TOKENS]: asNumber(output.reasoning) ?? asNumber(reasoningTokens),
  })
  const counts = withVendorCounts(sdkCounts, rawUsage(answer))
  if (dialect === 'gen_ai') return counts
  // The service reads these two in this scope by no other names.
  return defined({
    ...counts,
    'ai.usage.cachedInputTokens': counts[GEN_AI.USAGE_CACHE_READ_INPUT_TOKENS],
    'ai.usage.reasoningTokens': counts[GEN_AI.USAGE_REASONING_OUTPUT_TOKENS],
  })
}

interface Cache {
  /** Tokens of the prompt without those of the cache. */
  readonly without: number | undefined
  readonly read: number | undefined
  readonly write: number | undefined
}

function anthropicCache(providerMetadata: unknown): Cache | undefined {
  const { usage } = asRecord(asRecord(providerMetadata).anthropic)
  if (usage === undefined) return undefined
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens } = asRecord(usage)
  return {
    without: asNumber(input_tokens),
    read: asNumber(cache_read_input_tokens),
    write: asNumber(cache_creation_input_tokens),
  }
}

const PROVIDER_METADATA = 'ai.response.providerMetadata'

/** Drops the provider metadata of a whole call, where the service would read the usage of its models once more. */
export function withoutSums(attributes: Attributes): Attributes {
  if (!(PROVIDER_METADATA in attributes)) return attributes
  const { [PROVIDER_METADATA]: _, ...others } = attributes
  return others
}
