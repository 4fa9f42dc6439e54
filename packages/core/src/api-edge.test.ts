import { AsyncLocalStorage } from 'node:async_hooks'
import * as theirs from '@opentelemetry/api'
import { afterEach, expect, it } from 'vitest'
import type * as api from './api.ts'
import * as ours from './api-edge.ts'

afterEach(() => {
  theirs.trace.disable()
  theirs.context.disable()
})

function useContexts() {
  const storage = new AsyncLocalStorage<theirs.Context>()
  const manager: theirs.ContextManager = {
    active: () => storage.getStore() ?? theirs.ROOT_CONTEXT,
    with: (context, work, self, ...args) => storage.run(context, () => work.apply(self as never, args)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  }
  theirs.context.setGlobalContextManager(manager)
}

const SPAN = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }
const KEY = ours.createContextKey('key')

it('has every method that our packages may call', () => {
  const methods: Pick<typeof api, 'context' | 'trace'> = ours
  expect(methods).toBe(ours)
})

it('has the values that OpenTelemetry has', () => {
  const values = ({ TraceFlags, SpanStatusCode, INVALID_SPAN_CONTEXT }: typeof theirs | typeof ours) => ({
    sampled: TraceFlags.SAMPLED,
    error: SpanStatusCode.ERROR,
    none: INVALID_SPAN_CONTEXT,
  })
  expect(values(ours)).toEqual(values(theirs))
})

it.each([
  ['a'.repeat(32), 'b'.repeat(16)],
  ['A'.repeat(32), 'B'.repeat(16)],
  ['0'.repeat(32), 'b'.repeat(16)],
  ['a'.repeat(32), '0'.repeat(16)],
  ['a'.repeat(31), 'b'.repeat(16)],
  [`${'0'.repeat(31)}1`, `${'0'.repeat(15)}1`],
  ['g'.repeat(32), 'b'.repeat(16)],
  [undefined, null],
])('takes the ids %s and %s for valid where OpenTelemetry does', (traceId, spanId) => {
  const context = { traceId, spanId, traceFlags: 1 } as theirs.SpanContext
  expect(ours.isValidTraceId(context.traceId)).toBe(theirs.isValidTraceId(context.traceId))
  expect(ours.isValidSpanId(context.spanId)).toBe(theirs.isValidSpanId(context.spanId))
  expect(ours.isSpanContextValid(context)).toBe(theirs.isSpanContextValid(context))
})

it('a context is the same to other copies of the API, and never changes', () => {
  const span = theirs.trace.wrapSpanContext(SPAN)
  const within = ours.trace.setSpan(ours.ROOT_CONTEXT.setValue(KEY, 1), span)
  expect(theirs.trace.getSpan(within)).toBe(span)
  expect(ours.trace.getSpan(theirs.trace.setSpan(theirs.ROOT_CONTEXT, span))).toBe(span)
  expect(ours.trace.getSpanContext(ours.trace.setSpanContext(theirs.ROOT_CONTEXT, SPAN))).toEqual(SPAN)
  const without = ours.trace.deleteSpan(within)
  expect([without.getValue(KEY), theirs.trace.getSpan(without)]).toEqual([1, undefined])
  expect(ours.trace.getSpan(within)).toBe(span)
  expect(ours.ROOT_CONTEXT.getValue(KEY)).toBeUndefined()
})

it('work runs in a context of the manager that is registered, and without one as it is', () => {
  const within = ours.ROOT_CONTEXT.setValue(KEY, 1)
  const work = function (this: number, added: number) {
    return [this + added, ours.context.active().getValue(KEY)]
  }
  expect(ours.context.with(within, work, 1, 2)).toEqual([3, undefined])
  useContexts()
  expect(ours.context.with(within, work, 1, 2)).toEqual([3, 1])
  expect(theirs.context.with(within, work, 1, 2)).toEqual([3, 1])
})

it('a span without a recording can be written to', () => {
  const span = ours.trace.wrapSpanContext(SPAN)
  const link = { context: SPAN }
  const chained = span
    .setAttribute('a', 1)
    .setAttributes({ b: 2 })
    .addEvent('c')
    .addLink(link)
    .addLinks([link])
    .setStatus({ code: ours.SpanStatusCode.ERROR })
    .updateName('d')
  chained.recordException('e')
  chained.end()
  expect([chained, span.spanContext(), span.isRecording()]).toEqual([span, SPAN, false])
})

it('a tracer that was taken before a provider is registered records from then on', () => {
  useContexts()
  const tracer = ours.trace.getTracerProvider().getTracer('early', '1')
  const above = ours.trace.setSpanContext(ours.ROOT_CONTEXT, SPAN)
  expect(tracer.startSpan('none').spanContext()).toEqual(theirs.INVALID_SPAN_CONTEXT)
  expect(tracer.startSpan('none', {}, above).spanContext()).toEqual(SPAN)
  expect(tracer.startSpan('none', { root: true }, above).spanContext()).toEqual(theirs.INVALID_SPAN_CONTEXT)

  const started: unknown[] = []
  const getTracer = (name: string, version?: string): theirs.Tracer =>
    ours.tracerOf((...[spanName, options, parent = ours.context.active()]) => {
      started.push([name, version, spanName, options, ours.trace.getSpanContext(parent)?.spanId])
      return ours.trace.wrapSpanContext({ ...SPAN, spanId: `${started.length}`.repeat(16) })
    })
  theirs.trace.setGlobalTracerProvider({ getTracer })
  tracer.startActiveSpan('first', (span) => {
    expect(ours.trace.getActiveSpan()).toBe(span)
    tracer.startActiveSpan('second', { root: false }, () => {})
    tracer.startActiveSpan('third', {}, above, (inner) => expect(theirs.trace.getActiveSpan()).toBe(inner))
  })
  expect(started).toEqual([
    ['early', '1', 'first', undefined, undefined],
    ['early', '1', 'second', { root: false }, '1'.repeat(16)],
    ['early', '1', 'third', {}, SPAN.spanId],
  ])
})
