import { GEN_AI } from '@svc/core/attributes'
import { asNumber, asRecord, defined, type Fields, isObject } from '../gen-ai/read.ts'
import { readOpenAiUsage } from '../openai/usage.ts'

/** The tokens of a whole call, from its last event. */
export function callUsage(usage: unknown): Fields {
  const { inputTokens, outputTokens, inputTokenDetails } = asRecord(usage)
  return {
    [GEN_AI.USAGE_INPUT_TOKENS]: inputTokens,
    [GEN_AI.USAGE_OUTPUT_TOKENS]: outputTokens,
    [GEN_AI.USAGE_CACHE_READ_INPUT_TOKENS]: asRecord(inputTokenDetails).cacheReadTokens,
  }
}

/** The tokens of one request to a model. */
export function modelUsage(usage: unknown): Fields {
  const { inputTokenDetails, outputTokenDetails, raw } = asRecord(usage)
  const counts = {
    [GEN_AI.USAGE_CACHE_CREATION_INPUT_TOKENS]: asRecord(inputTokenDetails).cacheWriteTokens,
    [GEN_AI.USAGE_REASONING_OUTPUT_TOKENS]: asRecord(outputTokenDetails).reasoningTokens,
    ...callUsage(usage),
  }
  return withVendorCounts(counts, raw)
}

/**
 * Returns the counts of a request as those of the vendor's own client, if its API is compatible with OpenAI's: the SDK
 * reads only what OpenAI has, and as OpenAI has it.
 *
 * @param counts by their attributes
 * @param raw the counts as the vendor sent them
 */
export function withVendorCounts<T extends Fields>(counts: T, raw: unknown): T {
  if (!isObject(raw) || raw.prompt_tokens === undefined) return counts
  const { input, output, cacheRead, cacheWrite, reasoning } = readOpenAiUsage(raw) ?? {}
  const read = defined({
    [GEN_AI.USAGE_INPUT_TOKENS]: input,
    [GEN_AI.USAGE_OUTPUT_TOKENS]: output,
    [GEN_AI.USAGE_CACHE_READ_INPUT_TOKENS]: cacheRead,
    [GEN_AI.USAGE_CACHE_CREATION_INPUT_TOKENS]: cacheWrite,
    [GEN_AI.USAGE_REASONING_OUTPUT_TOKENS]: reasoning,
  })
  return { ...counts, ...read }
}

const INPUT = ['inputtokens', 'prompttokens', 'prompttokencount', 'totalinputtokens']
const OUTPUT = ['outputtokens', 'completiontokens', 'completiontokencount', 'candidatestokencount']
const TOTAL = ['totaltokens', 'totaltokencount']

/** What providers call their tokens, in lower case and without separators. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ...INPUT.map((name) => [name, 'input_tokens'] as const),
  ...OUTPUT.map((name) => [name, 'output_tokens'] as const),
  ...TOTAL.map((name) => [name, 'total_tokens'] as const),
])

/** Deepest level of a usage that is recorded. */
const DEPTH = 8

/** The usage of audio as its provider counts it: tokens, characters, seconds. */
export function providerUsage(usage: unknown, path: readonly string[] = []): Fields {
  const count = asNumber(usage)
  if (count !== undefined && path.length > 0) return { [GEN_AI.USAGE_PREFIX + path.join('.')]: count }
  if (!isObject(usage) || Array.isArray(usage) || path.length >= DEPTH) return {}
  const counts = Object.entries(usage).map(([key, value]) => {
    const name = snakeCase(key)
    return name === '' ? {} : providerUsage(value, [...path, name])
  })
  return Object.assign({}, ...counts)
}

function snakeCase(key: string): string {
  const known = NAMES.get(key.replace(/[^a-z0-9]/gi, '').toLowerCase())
  if (known !== undefined) return known
  const words = key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').split(/[^a-z0-9]+/i)
  return words.filter(Boolean).join('_').toLowerCase()
}
