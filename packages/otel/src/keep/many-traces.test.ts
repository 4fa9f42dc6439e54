import { channel } from 'node:diagnostics_channel'
import { ROOT_CONTEXT } from '@opentelemetry/api'
import { ByteBudget } from '@svc/core/delivery/byte-budget'
import { expect, it } from 'vitest'
import type { ReadableSpan } from '../sdk.ts'
import { Keep } from './keep.ts'

it('a hundred thousand traces: all with an error, slow or with a score, and of the rest what the rate says', () => {
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
  for (let at = 0; at < 100_000; at++) {
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

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
