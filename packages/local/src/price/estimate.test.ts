import { expect, it } from 'vitest'
import { estimatedCost } from './estimate.ts'

const USAGE = { input: 1_000_000 }

it.each([
  ['gpt-4.1', 2],
  ['openai/gpt-4.1-2025-04-14', 2],
  ['GPT-4o-mini', 0.15],
  ['claude-opus-4-20250514', 15],
  ['claude-opus-4-6', 5],
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 3],
  ['claude-3-5-sonnet@20241022', 3],
  ['models/gemini-2.5-pro-preview-05-06', 1.25],
])('a million tokens of input of %s cost %d dollars', (model, usd) => {
  expect(estimatedCost(model, USAGE)).toBeCloseTo(usd)
})

it.each(['claude-opus-4-9', 'gpt-4.15', 'gpt-5.9', 'my-gpt-4.1', 'o3-pro'])('%s has no known price', (model) => {
  expect(estimatedCost(model, USAGE)).toBeNull()
})

it('cache reads and cache writes have separate prices', () => {
  const cost = estimatedCost('claude-sonnet-4-5', { input: 1e6, input_cache_read: 1e6, input_cache_creation: 1e6 })
  expect(cost).toBeCloseTo(3 + 0.3 + 3.75)
})
