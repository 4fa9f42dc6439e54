import { type Attributes, context, type Span, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { endOpenCalls } from '@svc/core/open-calls'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { configure } from '../gen-ai/configure.ts'
import { openSpanOf } from './open-span.ts'
import { tracked } from './tracked.ts'

const exporter = new InMemorySpanExporter()
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
const tracer = tracked(provider.getTracer('test'), { dialect: 'gen_ai' })

beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()))
afterAll(() => context.disable())
beforeEach(() => {
  exporter.reset()
  return () => configure({})
})

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
const expectedSpan = (name: string, more: object = {}) => ({ name, status: 0, events: 0, ...more })
const CANCELLED = { level: 'WARNING', outcome: 'cancelled' }

it('an abort is a warning, and any other failure is an error', () => {
  for (const name of ['AbortError', 'TypeError']) {
    tracer.startActiveSpan(name, (span) => {
      span.recordException({ name, message: 'no' })
      span.setStatus({ code: SpanStatusCode.ERROR, message: 'no' })
      span.end()
    })
  }
  const failed = { status: SpanStatusCode.ERROR, events: 1 }
  expect(ended()).toEqual([expectedSpan('AbortError', CANCELLED), expectedSpan('TypeError', failed)])
})

it('spans below a cancelled span end with it, and no span ends twice', () => {
  tracer.startActiveSpan('above', (above) => {
    tracer.startActiveSpan('below', {}, context.active(), (below) => {
      openSpanOf(above)?.endAs('cancelled')
      below.end()
      above.end()
    })
  })
  expect(ended()).toEqual([expectedSpan('below', CANCELLED), expectedSpan('above', CANCELLED)])
})

it('open AI SDK spans end when the process exits', () => {
  const span = tracer.startSpan('open')
  tracer.startSpan('done').end()
  endOpenCalls()
  span.end()
  expect(ended()).toEqual([expectedSpan('done'), expectedSpan('open', { outcome: 'unfinished' })])
})

it('a stream that was abandoned before the process exits is recorded as stopped early', () => {
  openSpanOf(tracer.startSpan('left'))?.expect('stopped early')
  endOpenCalls()
  expect(ended()).toEqual([expectedSpan('left', { level: 'WARNING', outcome: 'stopped early' })])
})

it('the active span is that of the provider, and methods of its proxy return the proxy', () => {
  tracer.startActiveSpan('span', (span) => {
    expect(span.setAttribute('a', 1)).toBe(span)
    expect(trace.getActiveSpan()?.spanContext()).toEqual(span.spanContext())
    expect(openSpanOf(trace.getActiveSpan())).toBe(openSpanOf(span))
    span.end()
  })
  expect(ended()).toEqual([expectedSpan('span')])
})

const operation = (name: string) => ({ attributes: { 'gen_ai.operation.name': name } })

/** A call with a request to the model, which streams `chunks`. */
function called(chunks: readonly object[], work: (model: Span, call: Span) => void): void {
  tracer.startActiveSpan('call', operation('invoke_agent'), (call) => {
    tracer.startActiveSpan('model', operation('chat'), (model) => {
      const output = openSpanOf(model)?.collectOutput()
      for (const chunk of chunks) output?.add(chunk)
      work(model, call)
    })
  })
}

const output = () => exporter.getFinishedSpans().map(({ attributes }) => attributes['svc.observation.output'])
const HELLO = { type: 'text-delta', id: '1', delta: 'Hello' }
const TEXT = '[{"role":"assistant","content":"Hello"}]'

it('the output of a model is recorded on its span and on the call if the SDK records none', () => {
  called([HELLO], (_, call) => openSpanOf(call)?.endAs('cancelled'))
  called([HELLO], (model, call) => {
    model.setAttributes({ 'svc.observation.output': 'recorded by the SDK' })
    model.end()
    call.end()
  })
  expect(output()).toEqual([TEXT, TEXT, 'recorded by the SDK', TEXT])
})

it('the output of a model is not recorded if content is switched off', () => {
  configure({ captureContent: false })
  called([HELLO], (_, call) => openSpanOf(call)?.endAs('cancelled'))
  expect(output()).toEqual([undefined, undefined])
})

it('an error in a model stream is recorded on the call as well', () => {
  called([HELLO, { type: 'error', error: new RangeError('too many words') }], (model, call) => {
    model.end()
    call.end()
  })
  expect(exporter.getFinishedSpans().map(({ status }) => status.message)).toEqual(['too many words', 'too many words'])
})

it('a failed request ends when it is retried, and open ones when the call ends', () => {
  tracer.startActiveSpan('call', operation('invoke_agent'), (call) => {
    for (const name of ['first', 'second', 'third']) {
      const model = tracer.startSpan(name, operation('chat'))
      if (name !== 'third') openSpanOf(model)?.expect({ error: new TypeError(`${name} failed`) })
    }
    call.end()
  })
  const failed = { status: SpanStatusCode.ERROR, events: 1 }
  expect(ended()).toEqual([
    expectedSpan('first', failed),
    expectedSpan('second', failed),
    expectedSpan('third'),
    expectedSpan('call'),
  ])
})

it('spans of several copies of the module nest', async () => {
  vi.resetModules()
  const copy = await import('./tracked.ts')
  const other = copy.tracked(provider.getTracer('copy'), { dialect: 'ai' })
  tracer.startActiveSpan('above', (above) => {
    other.startActiveSpan('below', (below) => {
      below.end()
      above.end()
    })
  })
  expect(ended()).toEqual([expectedSpan('below'), expectedSpan('above')])
})

it('a tracer that is tracked twice is tracked once', () => {
  const span = tracked(tracer, { dialect: 'gen_ai' }).startSpan('span')
  span.setAttributes({ recorded: true }).end()
  expect(ended()).toEqual([expectedSpan('span')])
})

it('AI SDK content beyond the limit is truncated, with a note', () => {
  configure({ contentMaxBytes: 2_000 })
  const content = JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: 'x'.repeat(10_000) }] }])
  const span = tracer.startSpan('span', { attributes: { 'gen_ai.input.messages': content, plain: 'y'.repeat(10_000) } })
  span.setAttributes({ 'gen_ai.output.messages': content, list: ['z'.repeat(10_000)] })
  span.end()
  const attributes: Attributes = exporter.getFinishedSpans()[0]?.attributes ?? {}
  for (const name of ['gen_ai.input.messages', 'gen_ai.output.messages']) {
    expect(JSON.parse(String(attributes[name]))[0].parts[0].content).toMatch(/^x{900,2000}\[truncated by svc: /)
  }
  expect(attributes.plain).toMatch(/^y{900,2000}\[truncated by svc: /)
  expect(attributes.list).toEqual([expect.stringMatching(/^z{900,2000}\[truncated by svc: /)])
})
