import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../test/support/clock.ts'
import { catchLog } from '../../test/support/console.ts'
import { SPANS } from '../../test/support/nouns.ts'
import { Ledger } from './ledger.ts'

const log = catchLog()
const full = { kind: 'queue_full', text: 'Full.' }
const old = { kind: 'max_retry_age', text: 'Too old.' }

describe('the delivery ledger', () => {
  it('counts ended, sent and dropped items, with the reason for each drop', () => {
    const ledger = new Ledger(SPANS)
    for (let at = 0; at < 10; at++) ledger.end()
    ledger.send(4)
    ledger.send(1)
    ledger.drop('queue_full', 2, full)
    ledger.drop('queue_full', 1, full)
    ledger.drop('max_retry_age', 1, old)
    ledger.dropAtEnd(1, old)
    expect([ledger.ended, ledger.sent, ledger.dropped]).toEqual([
      10,
      5,
      { queue_full: 3, max_retry_age: 1, shutdown: 1 },
    ])
  })

  it('has no reason without drops', () => {
    const ledger = new Ledger(SPANS)
    ledger.drop('queue_full', 0, full)
    ledger.dropAtEnd(0, full)
    ledger.close(0)
    expect([ledger.dropped, log.lines()]).toEqual([{}, []])
  })

  it('returns counts that do not change later', () => {
    const ledger = new Ledger(SPANS)
    ledger.drop('queue_full', 1, full)
    const { dropped } = ledger
    ledger.drop('queue_full', 1, full)
    expect(dropped).toEqual({ queue_full: 1 })
  })
})

describe('the log line about dropped items', () => {
  it('is one line for each cause, then one a minute with the number lost since, and the rest at the end', () => {
    const clock = fakeClock()
    const ledger = new Ledger(SPANS, clock.now)
    for (let second = 0; second < 59; second++) {
      ledger.drop('queue_full', 10, full)
      clock.pass(1_000)
    }
    ledger.drop('rejected', 1, { kind: '400', text: 'Refused.' })
    clock.pass(1_000)
    ledger.drop('queue_full', 10, full)
    ledger.drop('queue_full', 5, full)
    ledger.close(0)
    expect(log.lines()).toEqual([
      'svc: [ERROR] Full. 10 spans are lost.',
      'svc: [ERROR] Refused. 1 span is lost.',
      'svc: [ERROR] Full. 590 spans are lost.',
      'svc: [ERROR] Full. 5 spans are lost.',
    ])
  })

  it('is one line for all causes at the end, and is not repeated', () => {
    const ledger = new Ledger(SPANS)
    ledger.dropAtEnd(2, full)
    ledger.dropAtEnd(1, old)
    expect(log.lines()).toEqual([])
    ledger.close(0)
    ledger.close(0)
    expect(log.lines()).toEqual(['svc: [ERROR] Full. 2 spans are lost. Too old. 1 span is lost.'])
  })

  it('adds up to all drops, whenever they happened', () => {
    const clock = fakeClock()
    const ledger = new Ledger(SPANS, clock.now)
    const causes = [full, old, { kind: '500', text: 'Broken.' }]
    for (let at = 0; at < 500; at++) {
      ledger.drop('rejected', (at * 7) % 5, causes[at % 3] ?? full)
      if (at % 50 === 0) ledger.dropAtEnd(at % 3, causes[at % 3] ?? full)
      clock.pass((at * 131) % 9_000)
    }
    ledger.close(0)
    const dropped = Object.values(ledger.dropped).reduce((sum, spans) => sum + spans, 0)
    expect(dropped).toBeGreaterThan(900)
    expect(reportedLosses(log.lines())).toBe(dropped)
  })
})

/** How many spans these lines of the log say are lost, all together. */
function reportedLosses(lines: readonly string[]): number {
  return lines
    .flatMap((line) => [...line.matchAll(/(\d+) spans? (?:is|are) lost/g)])
    .reduce((sum, [, count]) => sum + Number(count), 0)
}
