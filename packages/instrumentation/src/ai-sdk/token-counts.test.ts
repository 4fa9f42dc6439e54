import { describe, expect, it } from 'vitest'
import { DIALECTS, type Expected } from '../../test/dialects.ts'
import { tokenCounts, withoutSums } from './token-counts.ts'
import { modelUsage } from './usage.ts'

it('spans of the AI SDK have both token counts under the names that the service reads', () => {
  const usage = { inputTokens: 9, outputTokens: 5, cachedInputTokens: 4, reasoningTokens: 3 }
  expect(tokenCounts({ usage }, 'ai')).toMatchObject({
    'gen_ai.usage.input_tokens': 9,
    'gen_ai.usage.output_tokens': 5,
    'ai.usage.cachedInputTokens': 4,
    'ai.usage.reasoningTokens': 3,
  })
  expect(Object.keys(tokenCounts({ usage }, 'gen_ai')).join()).not.toContain('ai.usage.cached')
})

it.each([
  ['apart, as before version 6', 10],
  ['together', { total: 30, cacheRead: 15, cacheWrite: 5 }],
])('the cached tokens of Anthropic, reported %s, are part of the prompt tokens', (_, inputTokens) => {
  const anthropicUsage = { input_tokens: 10, cache_read_input_tokens: 15, cache_creation_input_tokens: 5 }
  const answer = { usage: { inputTokens, outputTokens: 1 }, providerMetadata: { anthropic: { usage: anthropicUsage } } }
  expect(tokenCounts(answer, 'ai')).toEqual({
    'gen_ai.usage.input_tokens': 30,
    'gen_ai.usage.output_tokens': 1,
    'gen_ai.usage.cache_read.input_tokens': 15,
    'gen_ai.usage.cache_creation.input_tokens': 5,
    'ai.usage.cachedInputTokens': 15,
  })
})

it('attributes of a whole AI SDK call do not repeat the usage of its model calls', () => {
  expect(withoutSums({ 'ai.response.providerMetadata': '{"anthropic":{"usage":{}}}', a: 1 })).toEqual({ a: 1 })
})

/** What the AI SDK makes of counts, which knows those of OpenAI only. */
const sdkUsage = ({ prompt_tokens, completion_tokens }: Record<string, unknown>) => ({
  inputTokens: prompt_tokens,
  outputTokens: completion_tokens,
})

describe.each(Object.entries(DIALECTS))('%s', (_, { answer, expected }) => {
  const { usage } = answer as { usage: Record<string, unknown> }

  it.each([
    ['version 5, in the body', { usage: sdkUsage(usage), response: { body: answer } }],
    ['version 6, in its usage', { usage: { ...sdkUsage(usage), raw: usage } }],
  ])('the tokens of an answer of %s', (_, answered) => {
    expect(totalsOf(tokenCounts(answered, 'ai'))).toEqual(expectedTotals(expected))
  })

  it('the tokens of an answer of version 7', () => {
    expect(totalsOf(modelUsage({ ...sdkUsage(usage), raw: usage }))).toEqual(expectedTotals(expected))
  })
})

function totalsOf(counts: Readonly<Record<string, unknown>>) {
  const read = (name: string) => counts[`gen_ai.usage.${name}`] ?? 0
  return [
    read('input_tokens'),
    read('output_tokens'),
    read('cache_read.input_tokens'),
    read('cache_creation.input_tokens'),
    read('reasoning.output_tokens'),
  ]
}

function expectedTotals({ usage }: Expected) {
  const { input = 0, output = 0, input_cached_tokens: read = 0, input_cache_creation: written = 0 } = usage
  const { output_reasoning_tokens: reasoning = 0 } = usage
  return [input + read + written, output + reasoning, read, written, reasoning]
}
