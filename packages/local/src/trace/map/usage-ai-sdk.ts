import { GEN_AI } from '@svc/core/attributes'
import type { Attributes, Value } from '../../store/received.ts'
import { isMap, mapOf, type ValueMap } from './read.ts'
import { less, type RawCounts } from './usage.ts'

const PROVIDER_METADATA = 'ai.response.providerMetadata'

/**
 * Usage in the scope `ai`. Of the parts only these few keys are read, and not those of the GenAI conventions. Undefined
 * where the provider's metadata cannot be read.
 */
export function aiSdkUsage(attributes: Attributes): RawCounts | undefined {
  const provider = providerMetadata(attributes[PROVIDER_METADATA])
  if (!provider) return undefined
  const { openai = {}, anthropic = {}, bedrock = {} } = provider
  const usage = field(anthropic, 'usage')
  const created = field(usage, 'cache_creation')
  const bedrockUsage = field(bedrock, 'usage')
  const parts: RawCounts = {
    input_cached_tokens: attributes['ai.usage.cachedInputTokens'] ?? openai.cachedPromptTokens,
    output_reasoning_tokens: attributes['ai.usage.reasoningTokens'] ?? openai.reasoningTokens,
    accepted_prediction_tokens: openai.acceptedPredictionTokens,
    rejected_prediction_tokens: openai.rejectedPredictionTokens,
    ...anthropicCache(usage, created, attributes),
    input_cache_read: bedrockUsage.cacheReadInputTokens,
    input_cache_write: bedrockUsage.cacheWriteInputTokens,
  }
  const known = Object.fromEntries(Object.entries(parts).filter(([, count]) => count !== undefined && count !== null))
  const cached = Object.entries(known).filter(([key]) => /^input_cache/.test(key) && key !== 'input_cache_write')
  return {
    input: less(
      first(attributes, ['prompt_tokens', 'input_tokens']),
      cached.map(([, count]) => count),
    ),
    output: less(first(attributes, ['completion_tokens', 'output_tokens']), [known.output_reasoning_tokens]),
    total: attributes['ai.usage.tokens'],
    ...known,
  }
}

function anthropicCache(usage: ValueMap, created: ValueMap, attributes: Attributes): RawCounts {
  const split = {
    input_cache_creation_5m: created.ephemeral_5m_input_tokens,
    input_cache_creation_1h: created.ephemeral_1h_input_tokens,
  }
  const isSplit = Object.values(split).some((count) => count !== undefined)
  return {
    ...(isSplit ? split : { input_cache_creation: usage.cache_creation_input_tokens }),
    ...(attributes['ai.usage.cachedInputTokens'] === undefined && usage.cache_read_input_tokens !== undefined
      ? { input_cached_tokens: usage.cache_read_input_tokens }
      : {}),
  }
}

function providerMetadata(value: Value | undefined): Record<string, ValueMap> | undefined {
  if (value === undefined) return {}
  const metadata = mapOf(value)
  return metadata
    ? (Object.fromEntries(Object.entries(metadata).filter(([, each]) => isMap(each))) as never)
    : undefined
}

function field(owner: ValueMap, name: string): ValueMap {
  const value = owner[name]
  return isMap(value) ? value : {}
}

/** A count that is missing counts as none. */
function first(attributes: Attributes, names: readonly string[]): Value {
  const name = names.find((each) => attributes[`${GEN_AI.USAGE_PREFIX}${each}`] !== undefined)
  return (name && attributes[`${GEN_AI.USAGE_PREFIX}${name}`]) ?? 0
}
