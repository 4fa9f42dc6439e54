import { channel } from 'node:diagnostics_channel'
import { ROOT_CONTEXT, type SpanContext, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { InMemorySpanExporter, SimpleSpanProcessor, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace'
import { withDeferredAttributes, withPropagatedAttributes } from '@svc/core/context'
import { ByteBudget } from '@svc/core/delivery/byte-budget'
import { MutedSpan, REQUEST, traceOnly } from '@svc/core/muted-span'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { catchLog } from '../../test/support/console.ts'
import { startIntake } from '../../test/support/intake.ts'
import { exporting, KEYS, tracing, under } from '../../test/support/tracing.ts'
import type { ReadableSpan } from '../sdk.ts'
import { Keep } from './keep.ts'
import { isOfShare } from './rules.ts'

const log = catchLog()

/** A trace of a root and a child, which has these attributes. */
function run({ tracer }: ReturnType<typeof exporting>, attributes = {}, base = ROOT_CONTEXT) {
  const root = tracer().startSpan('root', {}, base)
  const child = tracer().startSpan('child', { attributes }, under(root, base))
  return { root, child, traceId: root.spanContext().traceId }
}

const names = (spans: readonly ReadableSpan[]) => spans.map(({ name }) => name).sort()
const WHOLE = ['child', 'root']

describe('a trace is kept whole', () => {
  it.each<[rule: string, attributes: Record<string, unknown>]>([
    ['errors', { 'svc.observation.level': 'ERROR' }],
    ['errors', { 'svc.observation.status_message': 'the process ended before the result came' }],
    ['errors', { 'gen_ai.response.finish_reasons': ['error'] }],
    ['cost:0.10', { 'svc.observation.cost_details': '{"input":0.04,"output":0.06}' }],
    ['cost:.1', { 'svc.observation.cost_details': '{"input":1,"total":0.1}' }],
    ['cost:0.1', { 'gen_ai.usage.cost': 0.1 }],
    ['cost:0.1', { 'llm.cost.total': 0.11 }],
    ['users:ada|grace', { 'user.id': 'grace' }],
    ['users:ada|grace', { 'svc.user.id': 'ada' }],
    ['users: ada | grace', { 'user.id': 'ada' }],
    ['errors', { 'svc.experiment.id': 'e' }],
    ['rest:0', { 'svc.environment': 'sdk-experiment' }],
  ])('by %s for %o, and others are left out', async (rule, attributes) => {
    const parts = exporting({ keep: [rule] })
    for (const each of [attributes, { 'svc.observation.cost_details': '{"total":0.09}', 'user.id': 'ad' }]) {
      const { root, child } = run(parts, each)
      child.end()
      root.end()
    }
    expect(names(await parts.exported())).toEqual(WHOLE)
    expect(parts.processor.health()).toMatchObject({
      ended: 2,
      sent: 2,
      traces: { leftOut: { rest: 1 }, spansLeftOut: 2, spansHeld: 0 },
    })
  })

  it('by errors for a status', async () => {
    const parts = exporting({ keep: ['errors'] })
    const { root, child } = run(parts)
    child.setStatus({ code: SpanStatusCode.ERROR }).end()
    root.end()
    expect(names(await parts.exported())).toEqual(WHOLE)
    expect(parts.processor.health().traces).toMatchObject({ kept: { errors: 1 } })
  })

  it.each(['slow:5', 'slow:5s', 'slow:5000ms', 'slow:0.1m'])(
    'by %s from its first start to its last end',
    async (rule) => {
      const parts = exporting({ keep: [rule] })
      for (const seconds of [5.5, 6.5]) {
        const root = parts.tracer().startSpan('root', { startTime: [1_000, 0] })
        parts
          .tracer()
          .startSpan('child', { startTime: [1_001, 0] }, under(root))
          .end([1_001, 1])
        root.end([1_000 + Math.floor(seconds), 5e8])
      }
      expect(await parts.exported()).toHaveLength(rule.endsWith('m') ? 2 : 4)
    },
  )

  it('by several costs together', async () => {
    const parts = exporting({ keep: ['cost:0.1'] })
    const { root, child } = run(parts, { 'gen_ai.usage.cost': 0.06 })
    child.end()
    root.setAttribute('gen_ai.usage.cost', 0.05).end()
    expect(names(await parts.exported())).toEqual(WHOLE)
  })

  it('for a user who is known late', async () => {
    const parts = exporting({ keep: ['users:ada'] })
    let known = () => {}
    let user = {}
    const pending = new Promise<void>((resolve) => (known = resolve))
    const deferred = { read: () => user, pending: () => pending }
    const { root, child } = run(parts, {}, withDeferredAttributes(ROOT_CONTEXT, deferred))
    child.end()
    root.end()
    expect(await parts.exported()).toEqual([])
    user = { 'user.id': 'ada' }
    known()
    await pending
    expect(names(await parts.exported())).toEqual(WHOLE)
  })

  it('for the users of each rule', async () => {
    const parts = exporting({ keep: ['users:ada', 'users:grace'] })
    for (const id of ['ada', 'grace', 'bob']) {
      const { root, child } = run(parts, { 'user.id': id })
      child.end()
      root.end()
    }
    expect(parts.processor.health().traces).toMatchObject({ kept: { users: 2 }, leftOut: { rest: 1 } })
  })

  it('for a propagated user, at once', async () => {
    const parts = exporting({ keep: ['users:ada'] })
    run(parts, {}, withPropagatedAttributes(ROOT_CONTEXT, { 'user.id': 'ada' })).child.end()
    expect(names(await parts.exported())).toEqual(['child'])
  })

  it('as soon as a rule holds, and what ends late follows', async () => {
    const parts = exporting({ keep: ['errors'] })
    const [kept, leftOut] = [run(parts), run(parts)]
    parts.tracer().startSpan('held', {}, under(kept.root)).end()
    expect(await parts.exported()).toEqual([])
    kept.child.setStatus({ code: SpanStatusCode.ERROR }).end()
    expect(names(await parts.exported())).toEqual(['child', 'held'])
    for (const { root, child } of [kept, leftOut]) {
      child.end()
      root.end()
      parts.tracer().startSpan('late', {}, under(root)).setStatus({ code: SpanStatusCode.ERROR }).end()
    }
    expect(names(await parts.exported())).toEqual(['child', 'held', 'late', 'root'])
    expect(parts.processor.health().traces).toEqual({
      kept: { errors: 1 },
      leftOut: { rest: 1 },
      spansLeftOut: 3,
      spansHeld: 0,
    })
  })

  it('if it got a score within ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const parts = exporting({ keep: ['scored'] })
    const traces = [run(parts), run(parts), run(parts)]
    channel('svc:trace:score').publish({ traceId: traces[0]?.traceId })
    for (const { root, child } of traces) {
      child.end()
      root.end()
    }
    vi.advanceTimersByTime(9_000)
    // To ask how it is decides nothing.
    expect(parts.processor.health().traces).toMatchObject({ spansHeld: 4 })
    channel('svc:trace:score').publish({ traceId: traces[1]?.traceId })
    vi.advanceTimersByTime(3_000)
    channel('svc:trace:score').publish({ traceId: traces[2]?.traceId })
    vi.useRealTimers()
    expect(names(await parts.exported())).toEqual([...WHOLE, ...WHOLE].sort())
    expect(parts.processor.health().traces).toMatchObject({ kept: { scored: 2 }, leftOut: { rest: 1 } })
    const unsubscribe = vi.spyOn(channel('svc:trace:score'), 'unsubscribe')
    await parts.processor.shutdown()
    expect(unsubscribe).toHaveReturnedWith(true)
    unsubscribe.mockRestore()
  })

  it('of the rest by what the sampler of the SDK says of its id', () => {
    const sampler = new TraceIdRatioBasedSampler(0.3)
    for (let at = 0; at < 1_000; at++) {
      const id = Array.from({ length: 4 }, () =>
        Math.floor(Math.random() * 2 ** 32)
          .toString(16)
          .padStart(8, '0'),
      ).join('')
      expect(isOfShare(id, 0.3), id).toBe(sampler.shouldSample(ROOT_CONTEXT, id).decision === 2)
      expect([isOfShare(id, 0), isOfShare(id, 1)]).toEqual([false, true])
    }
  })
})

describe('the end of a trace', () => {
  it('is that of its request, whose roots are one trace', async () => {
    const parts = exporting({ keep: ['errors'] })
    let done = () => {}
    const whenDone = (action: () => void) => {
      done = action
    }
    const request = { open: () => undefined, whenDone }
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const muted = new MutedSpan(traceOnly(traceId), request)
    const parent: SpanContext = { traceId, spanId: 'b7ad6b7169203331', traceFlags: TraceFlags.SAMPLED, isRemote: true }
    const base = trace.setSpanContext(ROOT_CONTEXT.setValue(REQUEST, muted), parent)
    parts.tracer().startSpan('first', {}, base).end()
    parts.tracer().startSpan('second', {}, base).setStatus({ code: SpanStatusCode.ERROR }).end()
    done()
    expect(names(await parts.exported())).toEqual(['first', 'second'])
    parts.tracer().startSpan('third', {}, base).end()
    expect(await parts.exported()).toHaveLength(3)
  })

  it('is waited for no longer when the process ends', async () => {
    const parts = exporting({ keep: ['errors', 'scored'] })
    const { child } = run(parts)
    child.end()
    expect(parts.processor.health().traces).toMatchObject({ spansHeld: 1 })
    await parts.processor.shutdown()
    expect(parts.processor.health()).toMatchObject({ ended: 0, traces: { leftOut: { rest: 1 }, spansHeld: 0 } })
  })

  it('is waited for by no flush, but what waits for a score does not', async () => {
    const parts = exporting({ keep: ['scored'] })
    const [open, ended] = [run(parts), run(parts)]
    for (const span of [open.child, ended.child, ended.root]) span.end()
    await parts.processor.forceFlush()
    expect(parts.processor.health().traces).toMatchObject({ spansHeld: 1, spansLeftOut: 2 })
  })
})

describe('what is held', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }))
  afterEach(() => void vi.useRealTimers())

  it('is left out after ten minutes, unless its trace is slow by then', () => {
    const health = (rule: string) => {
      const { processor, ...parts } = exporting({ keep: [rule] })
      const { root, child } = run({ processor, ...parts })
      child.end()
      return { root, traces: () => processor.health().traces }
    }
    const [fast, slow] = [health('errors'), health('slow:30s')]
    vi.advanceTimersByTime(31_000)
    expect(slow.traces()).toMatchObject({ kept: { slow: 1 }, spansHeld: 0 })
    expect(fast.traces()).toMatchObject({ spansHeld: 1 })
    vi.advanceTimersByTime(600_000)
    fast.root.setStatus({ code: SpanStatusCode.ERROR }).end()
    expect(fast.traces()).toEqual({ kept: {}, leftOut: { time: 1 }, spansLeftOut: 2, spansHeld: 0 })
  })

  it('has half of the queue, counted in it; without room traces that are old give way, and then those that come', () => {
    const budget = new ByteBudget(40_000)
    const passed: string[] = []
    const keep = new Keep(['errors'], { budget, pass: ({ name }) => void passed.push(name) })
    const { tracer } = tracing({})
    const start = (name: string) => {
      const span = tracer().startSpan(name) as unknown as ReadableSpan
      keep.started(span, ROOT_CONTEXT)
      return span
    }
    const fail = (span: ReadableSpan) => keep.take({ ...span, spanContext: span.spanContext, status: { code: 2 } })
    const hold = (prefix: string) => {
      const spans = Array.from({ length: 20 }, (_, at) => start(`${prefix}${at}`))
      for (const span of spans) keep.take(span)
      expect(budget.used).toBeLessThanOrEqual(20_000)
      expect(keep.counts.spansHeld).toBeGreaterThan(10)
      return spans
    }
    const old = hold('old ')
    const room = keep.counts.spansHeld
    expect(keep.counts).toMatchObject({ leftOut: { memory: 20 - room }, spansLeftOut: 20 - room })
    vi.advanceTimersByTime(61_000)
    for (const span of [...old, ...hold('new ')]) fail(span)
    expect(new Set(passed)).toEqual(new Set(Array.from({ length: room }, (_, at) => `new ${at}`)))
    expect(keep.counts.kept).toEqual({ errors: room })
    expect(budget.used).toBe(0)
  })
})

it('a root that waits for what is inside it is told of that, kept or not', () => {
  const told: string[] = []
  const onDelivered = ({ name }: ReadableSpan) => void told.push(name)
  const parts = exporting({ keep: ['errors'], mask: ({ data }) => data, onDelivered })
  const { root, child } = run(parts)
  child.end()
  expect(told).toEqual(['child'])
  root.end()
  parts.tracer().startSpan('late', {}, under(root)).end()
  expect(told).toEqual(['child', 'root', 'late'])
})

describe('between processes', () => {
  it('a called process follows the one that called, which tells whether the trace is kept so far', async () => {
    const caller = exporting({ keep: ['errors'] })
    const called = exporting({ keep: ['errors', 'rest:1'] })
    const { root, child } = run(caller)
    const context = () => caller.processor.told?.(under(root)) ?? ROOT_CONTEXT
    const call = (name: string, base = context()) => {
      const parent = { ...(trace.getSpanContext(base) as SpanContext), isRemote: true }
      called.tracer().startSpan(name, {}, trace.setSpanContext(ROOT_CONTEXT, parent)).setStatus({ code: 2 }).end()
      return parent.traceState?.serialize()
    }
    expect(call('early')).toBe('svc=keep:0')
    child.setStatus({ code: SpanStatusCode.ERROR }).end()
    expect(call('late')).toBe('svc=keep:1')
    root.end()
    expect(call('afterwards')).toBe('svc=keep:1')
    expect(names(await called.exported())).toEqual(['afterwards', 'late'])
    expect(called.processor.health().traces?.leftOut).toEqual({ caller: 1 })
  })

  it('of an unknown trace nothing is told, nor without rules', () => {
    const base = trace.setSpanContext(ROOT_CONTEXT, { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 })
    expect(exporting({ keep: ['errors'] }).processor.told?.(base)).toBe(base)
    expect(exporting().processor.told).toBeUndefined()
  })
})

it('other processors see what they see without rules, unchanged', async () => {
  const exporter = new InMemorySpanExporter()
  const parts = exporting({ keep: ['errors'] }, { spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  const { root, child } = run(parts)
  child.end()
  root.end()
  await parts.provider.forceFlush()
  expect(names(exporter.getFinishedSpans())).toEqual(WHOLE)
  expect(exporter.getFinishedSpans()[0]?.spanContext().traceState).toBeUndefined()
})

it.each([
  'nonsense',
  'errors,slow:-5s',
  'rest:1.5',
  'rest:10%',
  'cost:',
  'users:',
  'users:a||b',
  'users:a| |b',
  'slow:5h',
  'scored:1',
])('%o is reported in one line, and every trace is kept', async (text) => {
  const env = (name: string) => (name === 'SVC_KEEP' ? text : undefined)
  const parts = exporting({ env })
  run(parts).child.end()
  expect(await parts.exported()).toHaveLength(1)
  expect(log.lines('SVC_KEEP')).toEqual([
    expect.stringContaining(`SVC_KEEP="${text}" is ignored, so every trace is kept: expected errors, slow:5s, `),
  ])
})

it('the service gets the traces that are kept, and held bytes are among those that wait', async () => {
  await using intake = await startIntake()
  const parts = tracing({ ...KEYS, baseUrl: intake.url, keep: ['errors'] })
  for (const code of [SpanStatusCode.ERROR, SpanStatusCode.OK]) {
    const root = parts.tracer().startSpan('root')
    parts.tracer().startSpan('child', {}, under(root)).setStatus({ code }).end()
    await parts.processor.forceFlush()
    expect(parts.processor.health().pendingBytes > 0).toBe(code === SpanStatusCode.OK)
    root.end()
    await parts.processor.forceFlush()
    expect(parts.processor.health().pendingBytes).toBe(0)
  }
  expect(intake.spans.map(({ name }) => name).sort()).toEqual(WHOLE)
})
