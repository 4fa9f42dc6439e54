import type { SvcClient } from '@svc/client'
import { beforeEach, describe, expect, it } from 'vitest'
import { isoDate, missing, refusal, refused, sendCall, useBench } from './api-support.ts'

const bench = useBench()
let api: SvcClient['api']
beforeEach(() => {
  api = bench.client().api
})

describe('a model in the API', () => {
  it('is created with prices, read back, listed in pages and deleted', async () => {
    const created = await api.models.create({
      modelName: 'house-1',
      matchPattern: '(?i)^(house-1)$',
      unit: 'TOKENS',
      inputPrice: 0.001,
      outputPrice: 0.002,
    })
    expect(created).toEqual({
      id: expect.any(String),
      modelName: 'house-1',
      matchPattern: '(?i)^(house-1)$',
      startDate: null,
      unit: 'TOKENS',
      inputPrice: 0.001,
      outputPrice: 0.002,
      totalPrice: null,
      tokenizerId: null,
      tokenizerConfig: null,
      isSvcManaged: false,
      createdAt: isoDate,
      prices: { input: { price: 0.001 }, output: { price: 0.002 } },
      pricingTiers: [
        {
          id: expect.any(String),
          name: 'Standard',
          isDefault: true,
          priority: 0,
          conditions: [],
          prices: { input: 0.001, output: 0.002 },
        },
      ],
    })
    expect(await api.models.get(created.id)).toEqual(created)
    const second = await api.models.create({ modelName: 'other', matchPattern: 'other' })
    const { data, meta } = await api.models.list({ page: 2, limit: 1 })
    expect([data, meta]).toMatchObject([[second], { page: 2, limit: 1 }])
    expect(meta.totalPages).toBe(meta.totalItems)
    await api.models.delete(second.id)
    expect(await refusal(api.models.get(second.id))).toEqual(missing(second.id))
    expect(await refusal(api.models.delete(second.id))).toEqual(missing(second.id))
  })

  it('is listed before the built-in ones, which cannot be deleted', async () => {
    const { id } = await api.models.create({ modelName: 'gpt-4.1', matchPattern: '^gpt-4.1$', inputPrice: 1 })
    const { data, meta } = await api.models.list({ limit: 100 })
    expect(data).toHaveLength(meta.totalItems)
    const firstBuiltIn = data.findIndex(({ isSvcManaged }) => isSvcManaged)
    const builtIn = data.slice(firstBuiltIn)
    expect(data.findIndex((model) => model.id === id)).toBe(firstBuiltIn - 1)
    expect(new Set(builtIn.map((model) => model.id)).size).toBeGreaterThan(20)
    expect(builtIn.filter((model) => !model.isSvcManaged || !new RegExp(model.matchPattern.slice(4), 'i'))).toEqual([])
    const managed = builtIn.find(({ modelName }) => modelName === 'gpt-4.1')
    expect(managed).toMatchObject({
      unit: 'TOKENS',
      prices: { input: { price: 2e-6 }, output: { price: 8e-6 }, input_cached_tokens: { price: 5e-7 } },
      pricingTiers: [{ name: 'Standard', isDefault: true, prices: { input: 2e-6, output: 8e-6 } }],
    })
    expect(await api.models.get(managed?.id ?? '')).toEqual(managed)
    expect(await refusal(api.models.delete(managed?.id ?? ''))).toMatchObject({ status: 403 })
    expect((await sendCall(api, 'gpt-4.1', { input: 3 })).observation).toMatchObject({ modelId: id, totalCost: 3 })
  })

  it('determines the cost of later calls by the matching price tier', async () => {
    const before = await sendCall(api, 'tiered-1', { input: 10, output: 1 })
    expect(before.observation).toMatchObject({ modelId: null, totalCost: null, costDetails: {} })
    const { id } = await api.models.create({
      modelName: 'tiered-1',
      matchPattern: '^tiered-1$',
      pricingTiers: [
        { name: 'short', isDefault: true, priority: 0, conditions: [], prices: { input: 1, output: 2 } },
        {
          name: 'long',
          isDefault: false,
          priority: 1,
          conditions: [{ usageDetailPattern: '^INPUT', operator: 'gt', value: 100, caseSensitive: false }],
          prices: { input: 3, output: 4 },
        },
      ],
    })
    const short = await sendCall(api, 'tiered-1', { input: 10, output: 1 })
    expect(short.observation).toMatchObject({
      modelId: id,
      internalModelId: id,
      inputPrice: '1',
      outputPrice: '2',
      usagePricingTierName: 'short',
      costDetails: { input: 10, output: 2, total: 12 },
      totalCost: 12,
    })
    const long = await sendCall(api, 'tiered-1', { input: 101, output: 1, other: 5 })
    expect(long.observation).toMatchObject({ usagePricingTierName: 'long', totalCost: 307 })
    const sent = await sendCall(api, 'tiered-1', { input: 10 }, { 'svc.observation.cost_details': '{"total":5}' })
    expect(sent.observation).toMatchObject({ totalCost: 5 })
    expect((await sendCall(api, 'tiered-10', { input: 1 })).observation).toMatchObject({
      modelId: null,
      totalCost: null,
    })
    const query = JSON.stringify({
      view: 'observations',
      metrics: [{ measure: 'totalCost', aggregation: 'sum' }],
      filters: [{ type: 'string', column: 'model', operator: '=', value: 'tiered-1' }],
    })
    expect((await api.metrics.metrics({ query })).data).toEqual([{ sum_totalCost: 324 }])
  })

  it('with a later start date determines the cost of calls after that date', async () => {
    const model = { modelName: 'dated', matchPattern: '^dated$' }
    await api.models.create({ ...model, startDate: '2025-01-01T00:00:00Z', inputPrice: 2 })
    await api.models.create({ ...model, inputPrice: 1 })
    await api.models.create({ ...model, startDate: '2050-01-01T00:00:00Z', inputPrice: 3 })
    expect((await sendCall(api, 'dated', { input: 1 })).observation).toMatchObject({ totalCost: 2 })
  })

  const tier = { name: 'a', isDefault: true, priority: 0, conditions: [], prices: { input: 1 } }
  it.each([
    [{ modelName: '' }, 'expected a text that is not empty'],
    [{ matchPattern: '(' }, 'expected a regular expression'],
    [{ unit: 'WORDS' }, 'expected CHARACTERS, TOKENS'],
    [{ inputPrice: 1, totalPrice: 1 }, 'a total price stands alone'],
    [{ inputPrice: 1, pricingTiers: [tier] }, 'send either tiers or inputPrice'],
    [{ pricingTiers: [tier, { ...tier, name: 'b' }] }, 'exactly one tier is the default one'],
    [{ pricingTiers: [tier, { ...tier, isDefault: false }] }, 'a priority of its own'],
    [{ pricingTiers: [{ ...tier, prices: {} }] }, '0: prices: expected at least one price'],
  ])('with %j is refused', async (part, text) => {
    const request = { modelName: 'm', matchPattern: 'm', ...part } as Parameters<typeof api.models.create>[0]
    expect(await refusal(api.models.create(request))).toEqual(refused(text))
  })
})
