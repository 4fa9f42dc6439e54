import type { Attributes } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import { asNumber, asRecord, defined } from '../gen-ai/read.ts'
import type { Words } from './said.ts'

/**
 * The tokens as a model counts them: the spans of the SDK tell some, or all, in some of its versions and operations.
 *
 * @param answer of a model, or the last piece of one
 */
export function tokenCounts(answer: unknown, words: Words): Attributes {
  const { usage, providerMetadata } = asRecord(answer)
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, tokens } = asRecord(usage)
  const [input, output] = [asRecord(inputTokens), asRecord(outputTokens)]
  const cache = anthropicCache(providerMetadata)
  const asked = asNumber(input.total) ?? asNumber(inputTokens) ?? asNumber(tokens)
  // Anthropic counts apart what the cache is asked and told, and before version 6 so does the SDK.
  const apart = asked !== undefined && asked === cache?.without ? (cache.read ?? 0) + (cache.write ?? 0) : 0
  const cacheRead = asNumber(input.cacheRead) ?? asNumber(cachedInputTokens) ?? cache?.read
  const reasoning = asNumber(output.reasoning) ?? asNumber(reasoningTokens)
  return defined({
    [GEN_AI.USAGE_INPUT_TOKENS]: asked === undefined ? undefined : asked + apart,
    [GEN_AI.USAGE_OUTPUT_TOKENS]: asNumber(output.total) ?? asNumber(outputTokens),
    [GEN_AI.USAGE_CACHE_READ_INPUT_TOKENS]: cacheRead,
    [GEN_AI.USAGE_CACHE_CREATION_INPUT_TOKENS]: asNumber(input.cacheWrite) ?? cache?.write,
    [GEN_AI.USAGE_REASONING_OUTPUT_TOKENS]: reasoning,
    // In this scope the service reads these two by no other names.
    ...(words === 'ai'
      ? { 'ai.usage.cachedInputTokens': cacheRead, 'ai.usage.reasoningTokens': reasoning }
      : undefined),
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

/** What is told of a whole call, without the sums of what its models have told: the service reads usage there, too. */
export function withoutSums(attributes: Attributes): Attributes {
  if (!(PROVIDER_METADATA in attributes)) return attributes
  const { [PROVIDER_METADATA]: _, ...others } = attributes
  return others
}
