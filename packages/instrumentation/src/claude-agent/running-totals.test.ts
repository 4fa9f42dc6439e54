import { expect, it } from 'vitest'
import type { CountedCall } from './costs.ts'
import { RunningTotals } from './running-totals.ts'

const call: CountedCall = { model: 'a', usage: { input: 10, output: 2 }, isFinal: true, size: 1 }
const resultOf = (session_id: string, inputTokens: number, outputTokens: number, costUSD: number) => ({
  session_id,
  total_cost_usd: costUSD,
  modelUsage: { a: { inputTokens, outputTokens, costUSD } },
})

it('a resumed session has cost only what it adds to its saved totals', () => {
  const first = new RunningTotals({}).share(resultOf('s1', 10, 2, 1), [call])
  const second = new RunningTotals({ resume: 's1' }).share(resultOf('s1', 20, 4, 2), [call])
  const forked = new RunningTotals({ resume: 's1', forkSession: true }).share(resultOf('s2', 30, 6, 3), [call])
  const next = new RunningTotals({ continue: true }).share(resultOf('s2', 45, 8, 4.5), [call])
  const shares = [{ output: 2, cost: 1 }]
  expect([first, second, forked]).toEqual([first, first, first].map(() => ({ shares, unreported: [] })))
  expect(next.unreported).toMatchObject([{ model: 'a', usage: { input: 5 } }])
})

it('a session that another process began has cost the share of its own calls', () => {
  const { shares, unreported } = new RunningTotals({ resume: 'elsewhere' }).share(resultOf('elsewhere', 40, 8, 4), [
    call,
  ])
  expect([shares, unreported]).toEqual([[{ output: 2, cost: 1 }], []])
})

it('totals may start again, with an older version and with another conversation', () => {
  new RunningTotals({}).share(resultOf('s3', 100, 20, 10), [])
  const older = new RunningTotals({ resume: 's3' })
  expect(older.share(resultOf('s3', 10, 2, 1), [call]).shares).toEqual([{ output: 2, cost: 1 }])
  older.reset()
  expect(older.share(resultOf('s3', 10, 2, 1), [call]).shares).toEqual([{ output: 2, cost: 1 }])
})
