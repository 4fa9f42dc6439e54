import { channel } from 'node:diagnostics_channel'
import { ROOT_CONTEXT } from '@opentelemetry/api'
import { ByteBudget } from '@svc/core/delivery/byte-budget'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ReadableSpan } from '../sdk.ts'
import { Keep } from './keep.ts'

it('twenty thousand traces: all with an error, slow or with a score, and of the rest what the rate says', () => {
  const passed = new Map<string, number>()
  const parts = { budget: new ByteBudget(), pass: (span: ReadableSpan) => count(span.spanContext().traceId) }
  const count = (id: string) => passed.set(id, (passed.get(id) ?? 0) + 1)
  const keep = new Keep(['errors', 'slow:5s', 'scored', 'rest:0.1'], parts)
  const random = seeded(47)
  const word = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
  const planted = new Set<string>()
  const all: string[] = []
  const spansOf = 3
  for (let at = 0; at < 20_000; at++) {
    const traceId = word() + word() + word() + word()
    all.push(traceId)
    const isPlanted = { error: random() < 0.01, slow: random() < 0.01, scored: random() < 0.01 }
    if (Object.values(isPlanted).includes(true)) planted.add(traceId)
    const spans = Array.from({ length: spansOf }, (_, index) => ({
      name: 'span',
      spanContext: () => ({ traceId, spanId: '1'.repeat(16), traceFlags: 1 }),
      startTime: [100, 0],
      endTime: [index === 2 && isPlanted.slow ? 105 : 104, 0],
      status: { code: index === 1 && isPlanted.error ? 2 : 0 },
      attributes: {},
      events: [],
      links: [],
      instrumentationScope: { name: 'svc-sdk' },
    })) as unknown as ReadableSpan[]
    for (const span of spans) keep.started(span, ROOT_CONTEXT)
    for (const span of spans) {
      keep.take(span)
      keep.ended(span)
    }
    if (isPlanted.scored) channel('svc:trace:score').publish({ traceId })
    if (at % 100 === 0) keep.settle()
  }
  keep.decide()
  keep.stop()
  expect([...planted].filter((id) => passed.get(id) !== spansOf)).toEqual([])
  expect([...passed].filter(([, spans]) => spans !== spansOf)).toEqual([])
  const rest = all.filter((id) => !planted.has(id))
  const kept = rest.filter((id) => passed.has(id)).length
  expect(Math.abs(kept - rest.length * 0.1)).toBeLessThan(3 * Math.sqrt(rest.length * 0.1 * 0.9))
  expect(parts.budget.used).toBe(0)
})

describe('at 3,000 spans a second of 1 to 2 KB, in traces of two seconds', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }))
  afterEach(() => void vi.useRealTimers())

  it('all with an error, slow or with a score soon after their end fit into half of the queue', async () => {
    const budget = new ByteBudget(67_108_864)
    const passed = new Set<string>()
    const keep = new Keep(['errors', 'slow:5s', 'scored'], {
      budget,
      pass: (span) => void passed.add(span.spanContext().traceId),
    })
    const random = seeded(48)
    const planted = new Set<string>()
    const spansOf = 10
    let most = 0
    const end = (span: ReadableSpan) => {
      keep.take(span)
      keep.ended(span)
      most = Math.max(most, budget.used)
    }
    const start = (at: number) => {
      const traceId = at.toString(16).padStart(32, '0')
      const kind = ['error', 'slow', 'score'][Math.floor(random() * 300)]
      if (kind) planted.add(traceId)
      const takes = kind === 'slow' ? 5_000 : 2_000
      for (let index = 0; index < spansOf; index++) {
        const isRoot = index === spansOf - 1
        const startTime = [Math.floor(Date.now() / 1_000), (Date.now() % 1_000) * 1e6]
        const span = {
          name: 'span',
          spanContext: () => ({ traceId, spanId: '1'.repeat(16), traceFlags: 1 }),
          startTime,
          endTime: [(startTime[0] ?? 0) + (isRoot ? takes / 1_000 : 0), startTime[1]],
          status: { code: isRoot && kind === 'error' ? 2 : 0 },
          attributes: { input: 'x'.repeat(1_000 + 1_000 * random()) },
          events: [],
          links: [],
          instrumentationScope: { name: 'svc-sdk' },
        } as unknown as ReadableSpan
        keep.started(span, ROOT_CONTEXT)
        setTimeout(end, isRoot ? takes : takes * random(), span)
      }
      if (kind === 'score') setTimeout(() => channel('svc:trace:score').publish({ traceId }), takes + 500)
    }
    for (let at = 0; at < 6_000; at++) {
      start(at)
      if (at % 3 === 2) vi.advanceTimersByTime(10)
    }
    vi.advanceTimersByTime(10_000)
    keep.stop()
    expect([...planted].filter((id) => !passed.has(id))).toEqual([])
    expect(planted.size).toBeGreaterThan(30)
    expect(most).toBeLessThanOrEqual(33_554_432)
    // There was no room for all that might have got a score.
    expect(keep.counts.leftOut.memory).toBeGreaterThan(1_000)
  })
})

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
