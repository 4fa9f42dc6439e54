import { expect, it } from 'vitest'
import { toUsageDetails } from '../gen-ai/detailed-counts.ts'
import { usageDetails } from '../gen-ai/usage.ts'
import { toGenAiMessage } from './messages.ts'
import { readModelResponse } from './read-run.ts'
import { readUsage, toUsage } from './usage.ts'

it.each([
  ['a whole answer', { additional_kwargs: { finishReason: 'STOP' } }],
  ['a stream', { response_metadata: { model_provider: 'google-genai' } }],
])("Gemini's thoughts are output, which LangChain has in the total of %s only", (_, message) => {
  const usage_metadata = { input_tokens: 10, output_tokens: 5, total_tokens: 45 }
  expect(readUsage({ ...message, usage_metadata }, {})).toMatchObject({ input: 10, output: 35, total: 45 })
})

it("LiteLLM has what was written to Anthropic's cache by its lifetime, on which the price depends", () => {
  const cache_creation_token_details = { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 10 }
  const prompt_tokens_details = { cached_tokens: 6, cache_creation_tokens: 14, cache_creation_token_details }
  const usage = { prompt_tokens: 40, completion_tokens: 2, total_tokens: 42, prompt_tokens_details }
  const usage_metadata = {
    input_tokens: 40,
    output_tokens: 2,
    total_tokens: 42,
    input_token_details: { cache_read: 6 },
  }
  const counts = readUsage({ usage_metadata, response_metadata: { usage } }, {})
  expect(counts && usageDetails(toUsage(counts), 'claude')).toEqual({
    ...{ input: 20, output: 2, total: 42, input_cached_tokens: 6 },
    ...{ input_cache_creation_5m: 4, input_cache_creation_1h: 10 },
  })
})

it("what is in Gemini's total beside input and output is no thought where thoughts are counted", () => {
  const details = { reasoning: 0 }
  const usage_metadata = { input_tokens: 10, output_tokens: 50, total_tokens: 5_060, output_token_details: details }
  const message = { response_metadata: { model_provider: 'google' }, usage_metadata }
  expect(readUsage(message, {})).toMatchObject({ input: 10, output: 50 })
})

it('what no vendor thinks apart is not output', () => {
  const usage_metadata = { input_tokens: 10, output_tokens: 5, total_tokens: 45 }
  expect(readUsage({ usage_metadata }, {})).toMatchObject({ input: 10, output: 5 })
})

it('tokens above a limit of Gemini are in the other parts, too', () => {
  const details = { cache_read: 4, over_200k: 10, cache_read_over_200k: 4 }
  const usage_metadata = { input_tokens: 10, output_tokens: 5, total_tokens: 15, input_token_details: details }
  const counts = readUsage({ usage_metadata }, {})
  const expected = { input: 6, output: 5, total: 15 }
  expect(counts && toUsageDetails(counts)).toEqual({ ...expected, input_cache_read: 4 })
  expect(counts && usageDetails(toUsage(counts), 'gemini')).toEqual({ ...expected, input_cached_tokens: 4 })
})

it('tokens of text and images are those of the sums, in which ChatGoogle repeats what was cached', () => {
  const usage_metadata = {
    ...{ input_tokens: 40, output_tokens: 20, total_tokens: 60 },
    input_token_details: { text: 30, image: 10, cache_read: 16 },
    output_token_details: { text: 10, reasoning: 10 },
  }
  const counts = readUsage({ usage_metadata }, {})
  const expected = { input: 24, output: 10, total: 60, input_cache_read: 16, output_reasoning: 10 }
  expect(counts && toUsageDetails(counts)).toEqual(expected)
})

it.each([
  { stopReason: 'end_turn', serviceTier: { type: 'flex' } },
  { messageStop: { stopReason: 'end_turn' }, metadata: { serviceTier: { type: 'flex' } } },
])("Bedrock's finish reason, tier and reasoning are read: %j", (response_metadata) => {
  const reasoning = { type: 'reasoning_content', reasoningText: { text: 'Hm.', signature: 'x' } }
  const message = { content: [reasoning], response_metadata, _getType: () => 'ai' }
  const { finishReasons, served, messages } = readModelResponse({ generations: [[{ message }]] })
  expect([finishReasons, served]).toEqual([['end_turn'], { service_tier: 'flex' }])
  expect(messages.map(toGenAiMessage)).toEqual([{ role: 'assistant', parts: [{ type: 'reasoning', content: 'Hm.' }] }])
})
