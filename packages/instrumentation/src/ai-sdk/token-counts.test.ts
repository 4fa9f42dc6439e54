import { expect, it } from 'vitest'
import { tokenCounts, withoutSums } from './token-counts.ts'

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
