import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { EdgeLedger } from './edge-ledger.ts'

let lines: string[]

beforeEach(() => {
  lines = []
  vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line.replace(/^.*\[ERROR\] /, '')))
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const CAUSE = { kind: 'full', text: 'It is full.' }

it('spans lost on the edge are logged at once, then once a minute, for each cause', () => {
  vi.useFakeTimers()
  const ledger = new EdgeLedger()
  for (const spans of [1, 2, 3]) ledger.drop('queue_full', spans, CAUSE)
  ledger.drop('rejected', 4, { kind: '400', text: 'It is bad.' })
  expect(lines).toEqual(['It is full. 1 span is lost.', 'It is bad. 4 spans are lost.'])
  vi.advanceTimersByTime(60_000)
  expect(lines.slice(2)).toEqual(['It is full. 5 spans are lost.'])
  vi.advanceTimersByTime(600_000)
  expect(lines).toHaveLength(3)
  expect(ledger.dropped).toEqual({ queue_full: 6, rejected: 4 })
})

it('spans lost on the edge are logged again after a minute where timers end with their request', () => {
  vi.useFakeTimers()
  const ledger = new EdgeLedger()
  ledger.drop('queue_full', 1, CAUSE)
  vi.clearAllTimers()
  vi.advanceTimersByTime(60_000)
  ledger.drop('queue_full', 2, CAUSE)
  expect(lines).toEqual(['It is full. 1 span is lost.', 'It is full. 2 spans are lost.'])
})
