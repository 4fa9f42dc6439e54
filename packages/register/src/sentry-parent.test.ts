import { channel } from 'node:diagnostics_channel'
import {
  context,
  propagation,
  type Span,
  type SpanContext,
  TraceFlags,
  type TraceState,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator, TraceState as W3cTraceState } from '@opentelemetry/core'
import {
  AlwaysOnSampler,
  InMemorySpanExporter,
  ParentBasedSampler,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { MutedSpan, REQUEST, traceOnly } from '@svc/core/muted-span'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { propagateTo } from './outgoing.ts'
import { PipelineProvider } from './provider.ts'
import { TraceIds } from './trace-ids.ts'

const exporter = new InMemorySpanExporter()
const ids = new TraceIds()
const recording = new TracerProvider({
  idGenerator: ids,
  sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  spanProcessors: [new SimpleSpanProcessor({ exporter })],
})
const provider = new PipelineProvider({ recording, ids, isMuted: (scope) => scope === 'infra' })
const [app, infra, sentry] = ['app', 'infra', '@sentry/node'].map((scope) => provider.getTracer(scope))

const SENTRYS = '12345678901234567890123456789012'

/** The state of Sentry's trace, whose keys that of OpenTelemetry refuses. */
const stateOf = (text: string) => ({ serialize: () => text }) as TraceState

/** What Sentry 10 puts into the context for a `sentry-trace` header. */
function callerOf(state: TraceState | undefined, traceFlags = TraceFlags.NONE): SpanContext {
  const traceState = state ? { traceState: state } : {}
  return { traceId: SENTRYS, spanId: '1234567890123456', isRemote: true, traceFlags, ...traceState }
}

/** What is exported of a span that starts below this caller. */
function startedBelow(caller: SpanContext, tracer = app, around = context.active()) {
  tracer?.startSpan('call', {}, trace.setSpanContext(around, caller)).end()
  return exporter.getFinishedSpans().map((span) => [span.name, span.spanContext().traceId, span.parentSpanContext])
}

beforeAll(() => context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()))
afterAll(() => context.disable())
beforeEach(() => {
  vi.stubGlobal('__SENTRY__', {})
  exporter.reset()
})
afterEach(() => vi.unstubAllGlobals())

describe('a caller that Sentry found in a request', () => {
  it.each([
    ['has not decided about sampling', callerOf(stateOf(''))],
    ['is not sampled', callerOf(stateOf('sentry.sampled_not_recording=1'))],
    ['is not sampled, with data of Sentry', callerOf(stateOf('sentry.sampled_not_recording=1,sentry.dsc=a%3Db'))],
    ['is sampled', callerOf(stateOf('sentry.dsc=a%3Db'), TraceFlags.SAMPLED)],
  ])('is no parent if it %s: a span is a root, in the same trace', (_, caller) => {
    expect(startedBelow(caller)).toEqual([['call', SENTRYS, undefined]])
  })

  it('does not replace the request, nor its trace', () => {
    const traceId = 'a'.repeat(32)
    const root = app?.startSpan('GET /')
    const request = new MutedSpan(traceOnly(traceId), { open: () => root })
    const around = trace.setSpan(context.active(), request).setValue(REQUEST, request)
    const [[, id, parent] = []] = startedBelow(callerOf(stateOf('')), app, around)
    expect([id, parent]).toEqual([root?.spanContext().traceId, expect.objectContaining(root?.spanContext() ?? {})])
  })

  it('is no parent below a muted span, or a span of Sentry', () => {
    for (const tracer of [infra, sentry])
      tracer?.startActiveSpan('GET /', {}, trace.setSpanContext(context.active(), callerOf(stateOf(''))), () =>
        app?.startSpan('call').end(),
      )
    const spans = exporter.getFinishedSpans().map((span) => [span.spanContext().traceId, span.parentSpanContext])
    expect(spans).toEqual([
      [SENTRYS, undefined],
      [SENTRYS, undefined],
    ])
  })

  it('stays the parent of spans of Sentry, which keep its decision', () => {
    expect(startedBelow(callerOf(stateOf('')), sentry)).toEqual([])
    const sampled = callerOf(stateOf(''), TraceFlags.SAMPLED)
    expect(startedBelow(sampled, sentry)).toEqual([['call', SENTRYS, sampled]])
  })
})

it('a request to another service does not name the caller that Sentry found', () => {
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  propagateTo(['http://orders:3001'])
  const added: string[] = []
  const request = { origin: 'http://orders:3001', headers: [], addHeader: (name: string) => void added.push(name) }
  const send = () => channel('undici:request:create').publish({ request })
  context.with(trace.setSpanContext(context.active(), callerOf(stateOf(''))), send)
  expect(added).toEqual([])
  vi.unstubAllGlobals()
  context.with(trace.setSpanContext(context.active(), callerOf(undefined)), send)
  expect(added).toEqual(['traceparent'])
  propagation.disable()
})

describe('a caller that is not of Sentry decides about sampling', () => {
  it.each([
    ['without a trace state', callerOf(undefined)],
    ['with one', callerOf(new W3cTraceState('vendor=sentry'))],
  ])('%s', (_, caller) => {
    expect(startedBelow(caller)).toEqual([])
  })

  // As after `JSON.parse` of a span context that came with a job.
  it.each([app, infra, sentry])('with a trace state that is plain data', (tracer) => {
    const caller = callerOf({ members: {} } as unknown as TraceState, TraceFlags.SAMPLED)
    const recorded = tracer === infra ? [] : [['call', SENTRYS, caller]]
    expect(startedBelow(caller, tracer)).toEqual(recorded)
  })

  it.each([{}, undefined])('as an object that only has a context, with __SENTRY__ = %j', (global) => {
    vi.unstubAllGlobals()
    if (global) vi.stubGlobal('__SENTRY__', global)
    const caller = callerOf(undefined, TraceFlags.SAMPLED)
    const around = trace.setSpan(context.active(), { spanContext: () => caller } as Span)
    app?.startSpan('call', {}, around).end()
    infra?.startSpan('GET /', {}, around).end()
    expect(exporter.getFinishedSpans().map((span) => span.parentSpanContext)).toEqual([caller])
  })

  it('without Sentry in the process', () => {
    vi.unstubAllGlobals()
    expect(startedBelow(callerOf(stateOf('')))).toEqual([])
  })
})
