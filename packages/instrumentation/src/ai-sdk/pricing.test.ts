import { describe, expect, it } from 'vitest'
import { tokenCounts } from './token-counts.ts'

const tokens = (total: number) => ({ total })
/** An answer of a model of version 7. */
const answer = (usage: object, more: object = {}) => ({
  usage: { inputTokens: tokens(60), outputTokens: tokens(10), raw: usage },
  ...more,
})
const read = (about: object, name: string) => {
  const text = tokenCounts(about, 'gen_ai')[`svc.observation.${name}`]
  return text === undefined ? undefined : JSON.parse(String(text))
}

describe('what determines the price of an answer through the AI SDK is read as by the client of the vendor', () => {
  it('cache writes of Anthropic by how long they are kept', () => {
    const cache_creation = { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 }
    const usage = { input_tokens: 10, cache_creation_input_tokens: 50, cache_creation, output_tokens: 10 }
    const expected = { input: 10, output: 10, input_cache_creation_5m: 20, input_cache_creation_1h: 30, total: 70 }
    const inputTokens = { total: 60, cacheWrite: 50 }
    expect(read({ usage: { inputTokens, outputTokens: tokens(10), raw: usage } }, 'usage_details')).toEqual(expected)
    const inMetadata = { usage: { inputTokens, outputTokens: tokens(10) }, providerMetadata: { anthropic: { usage } } }
    expect(read(inMetadata, 'usage_details')).toEqual(expected)
  })

  it('cache writes of Anthropic by how long they are kept, through LiteLLM', () => {
    const cache_creation_token_details = { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 }
    const prompt_tokens_details = { cache_creation_tokens: 50, cache_creation_token_details }
    const raw = { prompt_tokens: 60, completion_tokens: 10, prompt_tokens_details }
    const expected = { input: 10, output: 10, input_cache_creation_5m: 20, input_cache_creation_1h: 30, total: 70 }
    expect(read(answer(raw), 'usage_details')).toEqual(expected)
  })

  it('predictions of OpenAI', () => {
    const raw = { completion_tokens_details: { accepted_prediction_tokens: 3, rejected_prediction_tokens: 1 } }
    const expected = { accepted_prediction_tokens: 3, rejected_prediction_tokens: 1, input: 60, output: 10, total: 70 }
    expect(read(answer(raw), 'usage_details')).toEqual(expected)
    const openai = { acceptedPredictionTokens: 3, rejectedPredictionTokens: 1 }
    expect(read(answer({}, { providerMetadata: { openai } }), 'usage_details')).toEqual(expected)
  })

  it('no details if the conventions have a name for each of the counts', () => {
    expect(read(answer({ prompt_tokens: 60 }), 'usage_details')).toBeUndefined()
  })

  it.each<[where: string, answer: object, tier: string]>([
    ['the metadata', answer({}, { providerMetadata: { azure: { serviceTier: 'priority' } } }), 'priority'],
    ['its usage', answer({ service_tier: 'standard' }), 'standard'],
    ['the metadata of its usage', { providerMetadata: { anthropic: { usage: { service_tier: 'batch' } } } }, 'batch'],
    ['the response', answer({}, { response: { body: { service_tier: 'flex' } } }), 'flex'],
  ])('the service tier in %s', (_, about, tier) => {
    expect(tokenCounts(about, 'gen_ai')['gen_ai.request.service_tier']).toBe(tier)
  })

  it('the cost, for the spans of every major', () => {
    const about = answer({}, { providerMetadata: { gateway: { cost: '0.00042' } } })
    expect(read(about, 'cost_details')).toEqual({ total: 0.00042 })
    expect(tokenCounts(about, 'ai')['svc.observation.cost_details']).toBe('{"total":0.00042}')
    expect(read(answer({ cost: 0.3 }), 'cost_details')).toEqual({ total: 0.3 })
  })
})
