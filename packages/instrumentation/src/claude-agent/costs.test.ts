import { describe, expect, it } from 'vitest'
import { type CountedCall, readTotals, shareCost, shareTotals, subtractTotals } from './costs.ts'

const call = (model: string, output: number, more: Partial<CountedCall> = {}): CountedCall => ({
  model,
  usage: { input: 10, output },
  isFinal: true,
  size: 100,
  ...more,
})
const spent = (input: number, output: number, cost: number) => ({ input, output, cacheRead: 0, cacheWrite: 0, cost })

describe('the cost of a model in a Claude agent run', () => {
  it('is distributed among its calls by the price of their tokens', () => {
    const { shares, unreported } = shareTotals([call('a', 2), call('a', 6), call('b', 1)], {
      a: spent(20, 8, 6),
      b: spent(10, 1, 1),
    })
    expect(shares).toEqual([
      { output: 2, cost: 2 },
      { output: 6, cost: 4 },
      { output: 1, cost: 1 },
    ])
    expect(unreported).toEqual([])
  })

  it('is distributed also to calls that no message reported', () => {
    const { shares, unreported } = shareTotals([call('a', 2)], { a: spent(30, 4, 3), b: spent(5, 1, 0.5) })
    expect(shares).toEqual([{ output: 2, cost: 1.2 }])
    expect(unreported).toEqual([
      { model: 'a', usage: { input: 20, output: 2, cacheRead: 0, cacheWrite: 0 }, cost: 1.8 },
      { model: 'b', usage: { input: 5, output: 1, cacheRead: 0, cacheWrite: 0 }, cost: 0.5 },
    ])
  })

  it('is left to the service if it is not reported', () => {
    expect(shareTotals([call('a', 2)], { a: spent(10, 2, 0) }).shares).toEqual([{ output: 2 }])
  })

  it('without a model name is distributed among all calls', () => {
    expect(shareCost([call('a', 2), call('b', 6)], 6)).toEqual([{ cost: 2 }, { cost: 4 }])
    expect(shareCost([], 6)).toEqual([])
  })
})

it('output tokens that were not reported per call are distributed by response length', () => {
  const open = { isFinal: false }
  const calls = [call('a', 1, { ...open, size: 300 }), call('a', 7), call('a', 1, { ...open, size: 100 })]
  expect(shareTotals(calls, { a: spent(30, 49, 0) }).shares.map(({ output }) => output)).toEqual([31, 7, 11])
})

it('the totals of a Claude process accumulate, so only their growth is recorded', () => {
  const usageOf = (inputTokens: number, costUSD: number) => ({ modelUsage: { 'a[1m]': { inputTokens, costUSD } } })
  const since = subtractTotals(readTotals(usageOf(10, 1)), readTotals(usageOf(25, 3)))
  expect(since).toEqual({ a: { input: 15, output: 0, cacheRead: 0, cacheWrite: 0, cost: 2 } })
})

it.each([undefined, null, 7, 'text', [], { a: null }, { a: { costUSD: 'much' } }])(
  'Claude totals may be %j',
  (modelUsage) => {
    expect(() => shareTotals([call('a', 1)], readTotals({ modelUsage }))).not.toThrow()
  },
)
