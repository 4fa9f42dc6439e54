import { context, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { endOpenCalls } from '@svc/core/open-calls'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openSpanOf } from './open-span.ts'
import { tracked } from './tracked.ts'

const exporter = new InMemorySpanExporter()
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
const tracer = tracked(provider.getTracer('test'))

beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()))
afterAll(() => context.disable())
beforeEach(() => exporter.reset())

const LEVEL = 'svc.observation.level'
const OUTCOME = 'svc.observation.metadata.outcome'
const ended = () =>
  exporter.getFinishedSpans().map(({ name, status, events, attributes }) => ({
    name,
    status: status.code,
    events: events.length,
    level: attributes[LEVEL],
    outcome: attributes[OUTCOME] && JSON.parse(String(attributes[OUTCOME])),
  }))
const told = (name: string, more: object = {}) => ({ name, status: 0, events: 0, ...more })
const CANCELLED = { level: 'WARNING', outcome: 'cancelled' }

it('an abort is a warning, and any other failure an error', () => {
  for (const name of ['AbortError', 'TypeError']) {
    tracer.startActiveSpan(name, (span) => {
      span.recordException({ name, message: 'no' })
      span.setStatus({ code: SpanStatusCode.ERROR, message: 'no' })
      span.end()
    })
  }
  const failed = { status: SpanStatusCode.ERROR, events: 1 }
  expect(ended()).toEqual([told('AbortError', CANCELLED), told('TypeError', failed)])
})

it('what lies below a span that is cancelled ends with it, and nothing ends twice', () => {
  tracer.startActiveSpan('above', (above) => {
    tracer.startActiveSpan('below', {}, context.active(), (below) => {
      openSpanOf(above)?.cancel()
      below.end()
      above.end()
    })
  })
  expect(ended()).toEqual([told('below', CANCELLED), told('above', CANCELLED)])
})

it('the process ends what is open', () => {
  const span = tracer.startSpan('open')
  tracer.startSpan('done').end()
  endOpenCalls()
  span.end()
  expect(ended()).toEqual([told('done'), told('open', { outcome: 'unfinished' })])
})

it('the active span is that of the provider, and its methods return what was handed out', () => {
  tracer.startActiveSpan('span', (span) => {
    expect(span.setAttribute('a', 1)).toBe(span)
    expect(trace.getActiveSpan()?.spanContext()).toEqual(span.spanContext())
    expect(openSpanOf(trace.getActiveSpan())).toBe(openSpanOf(span))
    span.end()
  })
  expect(ended()).toEqual([told('span')])
})
