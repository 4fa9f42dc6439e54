import { claimRuntime, getRuntime, releaseRuntime, type SpanWatcher } from '@svc/core/registry'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { deliverWithRequests } from './delivery.ts'

const HOST = Symbol.for('@vercel/request-context')
const awaited: Promise<unknown>[] = []
const flushed = vi.fn(async () => {})
let watchers: SpanWatcher[] = []

const span = (spanId: string, traceId = 't') => ({ spanContext: () => ({ traceId, spanId, traceFlags: 1 }) })
const report = (what: keyof SpanWatcher, spanId: string) => {
  for (const watcher of watchers) watcher[what](span(spanId))
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubEnv('VERCEL', '1')
  for (const slot of ['svc.next.6', 'svc.next-delivery.6']) Reflect.deleteProperty(globalThis, Symbol.for(slot))
  releaseRuntime()
  watchers = []
  awaited.length = 0
  flushed.mockClear()
  claimRuntime({
    owner: 'test',
    attach() {},
    forceFlush: flushed,
    watch: (watcher) => void watchers.push(watcher),
    async shutdown() {},
  })
  Reflect.set(globalThis, HOST, { get: () => ({ waitUntil: (work: Promise<unknown>) => void awaited.push(work) }) })
  deliverWithRequests()
})

afterEach(() => {
  releaseRuntime()
  Reflect.deleteProperty(globalThis, HOST)
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

it('the host waits once for all spans of a trace, also for consecutive ones', async () => {
  for (const spanId of ['1', '2']) {
    report('started', spanId)
    report('ended', spanId)
    await Promise.resolve()
  }
  expect([awaited.length, flushed.mock.calls.length]).toEqual([1, 0])
  await vi.advanceTimersByTimeAsync(10)
  await Promise.all(awaited)
  expect(flushed).toHaveBeenCalledTimes(1)
})

it('a span that ends after the wait is over is waited for again, also outside of its request', async () => {
  report('started', '1')
  await vi.advanceTimersByTimeAsync(5_000)
  await Promise.all(awaited)
  expect(flushed).toHaveBeenCalledTimes(1)
  Reflect.set(globalThis, HOST, { get: () => undefined })
  report('ended', '1')
  await vi.advanceTimersByTimeAsync(10)
  expect(awaited).toHaveLength(2)
  await Promise.all(awaited)
  expect(flushed).toHaveBeenCalledTimes(2)
})

it('a host with more than 1,000 open traces waits anew for a span of the oldest one', async () => {
  const start = (traceId: string, spanId: string) => {
    for (const watcher of watchers) watcher.started(span(spanId, traceId))
  }
  for (let trace = 0; trace <= 1_000; trace += 1) start(`t${trace}`, '1')
  expect(awaited).toHaveLength(1_001)
  start('t1000', '2')
  expect(awaited).toHaveLength(1_001)
  start('t0', '2')
  expect(awaited).toHaveLength(1_002)
})

it('outside of requests the host does not wait', async () => {
  Reflect.set(globalThis, HOST, { get: () => undefined })
  report('started', '1')
  report('ended', '1')
  await vi.advanceTimersByTimeAsync(10_000)
  expect([awaited.length, flushed.mock.calls.length]).toEqual([0, 0])
})

it('delivery watches each pipeline once, and none on a long-lived server', () => {
  deliverWithRequests()
  expect(watchers).toHaveLength(1)
  for (const slot of ['svc.next.6', 'svc.next-delivery.6']) Reflect.deleteProperty(globalThis, Symbol.for(slot))
  vi.stubEnv('VERCEL', undefined)
  deliverWithRequests()
  expect(watchers).toHaveLength(1)
  expect(getRuntime()).toBeDefined()
})
