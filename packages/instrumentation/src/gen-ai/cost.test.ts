import { describe, expect, it } from 'vitest'
import { readCost, readMetadataCost } from './cost.ts'

describe('the cost that is reported with token counts', () => {
  it.each<[who: string, usage: unknown, cost: number | undefined]>([
    ['OpenRouter', { cost: 0.00042 }, 0.00042],
    [
      'OpenRouter, with a key of its user',
      { cost: 0.25, is_byok: true, cost_details: { upstream_inference_cost: 0.5 } },
      0.75,
    ],
    ["OpenRouter's client", { cost: 0, isByok: true, costDetails: { upstreamInferenceCost: 0.2 } }, 0.2],
    ['Perplexity', { cost: { total_cost: 0.006 } }, 0.006],
    ['DeepInfra', { estimated_cost: 0.003 }, 0.003],
    ['xAI', { cost_in_usd_ticks: 37_756_000 }, 0.0037756],
    ["Vercel's gateway", { cost: '0.00042', marketCost: '0.0005' }, 0.00042],
    ["Vercel's gateway, with a key of its user", { cost: '0', marketCost: '0.0005' }, 0.0005],
    ['a model that is free', { cost: 0 }, 0],
    ['nobody', { prompt_tokens: 3 }, undefined],
    ['a text that is no number', { cost: 'free' }, undefined],
    ['an empty text', { cost: '' }, undefined],
    ['a negative number', { cost: -1 }, undefined],
    ['no usage', undefined, undefined],
  ])('%s', (_, usage, cost) => {
    expect(readCost(usage)).toBe(cost)
  })
})

it('the cost in the metadata of a provider of the AI SDK is found below its name, and in its usage', () => {
  expect(readMetadataCost({ openai: { responseId: 'r' }, gateway: { cost: '0.00042' } })).toBe(0.00042)
  expect(readMetadataCost({ openrouter: { usage: { cost: 0.3 } } })).toBe(0.3)
  expect(readMetadataCost({ xai: { costInUsdTicks: 1e9 } })).toBe(0.1)
  expect(readMetadataCost({ openai: null })).toBeUndefined()
})
