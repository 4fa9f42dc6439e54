import { context, INVALID_SPAN_CONTEXT, ROOT_CONTEXT, type Span, type TracerProvider, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  InMemorySpanExporter,
  TracerProvider as SdkProvider,
  SimpleSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { HostProvider } from './host-provider.ts'
import { PipelineProvider } from './provider.ts'
import { TraceIds } from './trace-ids.ts'

/** A pipeline whose processor stamps spans, and an application's provider that joins it. */
function setUp(options: ConstructorParameters<typeof SdkProvider>[0] = {}) {
  const [ours, theirs] = [new InMemorySpanExporter(), new InMemorySpanExporter()]
  const inner = new SimpleSpanProcessor({ exporter: ours })
  const processor: SpanProcessor = {
    onStart: (span) => void span.setAttribute('stamp', true),
    onEnd: (span) => inner.onEnd(span),
    forceFlush: async () => {},
    shutdown: async () => {},
  }
  const resource = resourceFromAttributes({})
  const ids = new TraceIds()
  const recording = new SdkProvider({ resource, idGenerator: ids, spanProcessors: [processor] })
  const lines: string[] = []
  const duplicateTestOf = (scope: string) => (scope === 'duplicate' ? () => true : undefined)
  const getTracer: TracerProvider['getTracer'] = (...args) => pipeline.getTracer(...args)
  let isAsked = false
  const host = new HostProvider(
    () => ({ processor, resource, duplicateTestOf, getTracer }),
    (line) => lines.push(line),
    (other) => {
      isAsked = false
      other.getTracer('any')
      return isAsked
    },
  )
  const pipeline = new PipelineProvider({ recording, ids, isMuted: () => false, resource, host })
  const entrance: TracerProvider = {
    getTracer: (name) => {
      isAsked = true
      return pipeline.getTracer(name)
    },
  }
  const provider = new SdkProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: theirs })], ...options })
  const names = (exporter: InMemorySpanExporter) => exporter.getFinishedSpans().map(({ name }) => name)
  return { host, pipeline, entrance, provider, lines, ours, theirs, own: pipeline.getOwnTracer('own'), names }
}

const within = (above: Span) => trace.setSpan(ROOT_CONTEXT, above)

beforeAll(() => context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()))
afterAll(() => context.disable())

describe("the application's own provider", () => {
  let each: ReturnType<typeof setUp>
  beforeEach(() => {
    each = setUp()
  })

  it('makes the spans of tracers that were taken from us before', () => {
    const early = each.pipeline.getTracer('app')
    each.host.join(each.provider)
    early.startActiveSpan('a', (span) => span.end())
    expect([each.names(each.theirs), each.names(each.ours)]).toEqual([['a'], ['a']])
  })

  it('keeps the tracers that it has, where another one is registered after it', () => {
    const early = each.pipeline.getTracer('app')
    each.host.join(each.provider)
    early.startSpan('a').end()
    each.host.join(new SdkProvider())
    early.startSpan('b').end()
    expect(each.names(each.theirs)).toEqual(['a', 'b'])
  })

  it('that is around ours has its spans from us', () => {
    each.host.join({ getTracer: (name) => each.entrance.getTracer(name) })
    each.entrance.getTracer('app').startActiveSpan('a', (span) => span.end())
    expect([each.names(each.ours), each.lines]).toEqual([['a'], []])
  })

  it('gets no spans of our instrumentations, and nothing that we write on spans', () => {
    each.host.join(each.provider)
    each.own.startSpan('ours').end()
    each.provider.getTracer('app').startSpan('theirs').end()
    expect(each.names(each.theirs)).toEqual(['theirs'])
    expect(each.theirs.getFinishedSpans()[0]?.attributes).toEqual({})
    expect(each.ours.getFinishedSpans().map(({ name, attributes }) => [name, attributes])).toEqual([
      ['ours', { stamp: true }],
      ['theirs', { stamp: true }],
    ])
  })

  it('has its own parents, and we have ours', () => {
    const tracer = each.provider.getTracer('app')
    each.host.join(each.provider)
    const outer = tracer.startSpan('outer')
    const call = each.own.startSpan('call', {}, within(outer))
    const step = each.own.startSpan('step', {}, within(call))
    const inner = tracer.startSpan('inner', {}, within(step))
    for (const span of [inner, step, call, outer]) span.end()
    const parents = (exporter: InMemorySpanExporter) => {
      const spans = exporter.getFinishedSpans()
      const nameOf = (id?: string) => spans.find((span) => span.spanContext().spanId === id)?.name
      return spans.map(({ name, parentSpanContext }) => `${name} in ${nameOf(parentSpanContext?.spanId)}`)
    }
    expect(parents(each.theirs)).toEqual(['inner in outer', 'outer in undefined'])
    expect(parents(each.ours)).toEqual(['inner in step', 'step in call', 'call in outer', 'outer in undefined'])
  })

  it('has a root of its own inside a call of ours, in the trace of the call', () => {
    each.host.join(each.provider)
    const call = each.own.startSpan('call')
    each.provider.getTracer('app').startSpan('inner', {}, within(call)).end()
    const [theirs, ours] = [each.theirs, each.ours].map((exporter) => exporter.getFinishedSpans()[0])
    expect(theirs?.parentSpanContext).toBeUndefined()
    expect(theirs?.spanContext().traceId).toBe(call.spanContext().traceId)
    expect(ours?.parentSpanContext?.spanId).toBe(call.spanContext().spanId)
  })

  it('is all that the application sees: of our spans those around them', () => {
    const tracer = each.provider.getTracer('app')
    const call = each.own.startSpan('call')
    expect(trace.getSpan(each.host.shown(within(call)))).toBe(call)
    each.host.join(each.provider)
    const outer = tracer.startSpan('outer')
    const [step, alone] = [each.own.startSpan('step', {}, within(outer)), within(call)]
    const seen = [within(outer), within(step), alone].map((given) => trace.getSpan(each.host.shown(given)))
    expect(seen).toEqual([outer, outer, undefined])
    expect(each.host.shown(alone)).toBe(each.host.shown(alone))
    // What it starts there is inside of ours.
    tracer.startSpan('inner', {}, each.host.shown(within(step))).end()
    each.own.startSpan('next', {}, each.host.shown(within(step))).end()
    const parents = each.ours.getFinishedSpans().map(({ parentSpanContext }) => parentSpanContext?.spanId)
    expect(parents).toEqual([step.spanContext().spanId, step.spanContext().spanId])
    expect(each.theirs.getFinishedSpans()[0]?.parentSpanContext?.spanId).toBe(outer.spanContext().spanId)
  })

  it('decides nothing for our spans where it drops its own', () => {
    each.host.join(new SdkProvider({ sampler: new AlwaysOffSampler() }))
    const dropped = each.pipeline.getTracer('app').startSpan('dropped')
    each.own.startSpan('call', {}, within(dropped)).end()
    const [call] = each.ours.getFinishedSpans()
    expect(call).toMatchObject({ name: 'call', parentSpanContext: undefined })
    expect(call?.spanContext().traceId).toBe(dropped.spanContext().traceId)
  })

  it('decides nothing where there was none: a span without a trace is no parent', () => {
    each.host.join(each.provider)
    each.own.startSpan('call', {}, within(trace.wrapSpanContext(INVALID_SPAN_CONTEXT))).end()
    expect(each.ours.getFinishedSpans()[0]?.spanContext().traceId).not.toBe(INVALID_SPAN_CONTEXT.traceId)
  })

  it('keeps spans that record a call of ours again', () => {
    each.host.join(each.provider)
    each.provider.getTracer('duplicate').startSpan('again').end()
    expect([each.names(each.theirs), each.names(each.ours)]).toEqual([['again'], []])
  })

  it('is passed over where it cannot be joined, by the parents that its spans tell', () => {
    const ask = each.own.startSpan('ask')
    // As Sentry's: of no SDK.
    const theirs = { spanContext: () => ({ ...ask.spanContext(), spanId: 'b'.repeat(16) }) }
    const span = Object.assign(theirs, { isRecording: () => true, _parentSpanId: ask.spanContext().spanId })
    each.host.join({ getTracer: () => each.own })
    each.own.startSpan('call', {}, within(span as unknown as Span)).end()
    expect(each.ours.getFinishedSpans()[0]?.parentSpanContext?.spanId).toBe(ask.spanContext().spanId)
  })

  it('keeps a span in whose place one of ours is recorded, which has its children', () => {
    each.host.join(each.provider)
    const [app, beside] = [each.provider.getTracer('app'), each.own.startSpan('beside')]
    const { theirs } = each.host.beside.start(
      () => app.startSpan('theirs'),
      () => beside,
    )
    each.provider.getTracer('app').startSpan('inner', {}, within(theirs)).end()
    const ours = each.own.startSpan('ours', {}, within(theirs))
    ours.end()
    theirs.end()
    expect(each.names(each.theirs)).toEqual(['inner', 'theirs'])
    const parents = each.ours.getFinishedSpans().map(({ name, parentSpanContext }) => [name, parentSpanContext?.spanId])
    expect(parents).toEqual([
      ['inner', theirs.spanContext().spanId],
      ['ours', beside.spanContext().spanId],
    ])
  })

  it('is told of once, before or after it has joined', () => {
    const told: string[] = []
    each.host.onJoin(() => told.push('before'))
    expect([each.host.isApart, told]).toEqual([false, []])
    each.host.join(each.provider)
    each.host.join(new SdkProvider())
    each.host.onJoin(() => told.push('after'))
    expect([each.host.isApart, told]).toEqual([true, ['before', 'after']])
  })

  it('keeps ids of its own making', () => {
    const ids = { generateTraceId: () => 'a'.repeat(32), generateSpanId: () => 'b'.repeat(16) }
    const other = setUp({ idGenerator: ids })
    other.host.join(other.provider)
    other.provider
      .getTracer('app')
      .startSpan('inner', {}, within(other.own.startSpan('call')))
      .end()
    expect(other.theirs.getFinishedSpans()[0]?.spanContext().traceId).toBe('a'.repeat(32))
  })

  it('flushes and ends without us, and shows nothing of us', async () => {
    const before = String(Object.keys(each.provider))
    each.host.join(each.provider)
    await each.provider.shutdown()
    each.own.startSpan('ours').end()
    expect([String(Object.keys(each.provider)), each.names(each.ours)]).toEqual([before, ['ours']])
  })

  it('of which we cannot see the spans is named, and observations stay ours', () => {
    class Foreign implements TracerProvider {
      getTracer = () => trace.getTracer('foreign')
    }
    const foreign: TracerProvider = new Foreign()
    each.host.join(foreign)
    expect(each.lines).toEqual([
      expect.stringMatching(/own OpenTelemetry provider \(Foreign\) are not recorded by svc/),
    ])
    foreign.getTracer('svc-sdk').startSpan('observation').end()
    expect(foreign.getTracer('app').startSpan('any').spanContext()).toEqual(INVALID_SPAN_CONTEXT)
    expect(each.names(each.ours)).toEqual(['observation'])
  })
})
