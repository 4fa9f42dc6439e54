import { AsyncLocalStorage } from 'node:async_hooks'
import { context, INVALID_SPAN_CONTEXT, ROOT_CONTEXT, type Span, type Tracer, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { AlwaysOnSampler, InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { withinFrameworkCall } from '@svc/core/framework-call'
import { MutedSpan, traceOnly } from '@svc/core/muted-span'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { duplicateTestOf } from './duplicates.ts'
import { leanTracers } from './lean/lean-tracer.ts'
import { PipelineProvider } from './provider.ts'
import { TraceIds } from './trace-ids.ts'

const exporter = new InMemorySpanExporter()
const ids = new TraceIds()
const recording = new TracerProvider({ idGenerator: ids, spanProcessors: [new SimpleSpanProcessor({ exporter })] })
const provider = new PipelineProvider({
  recording,
  ids,
  isMuted: (scope) => scope.startsWith('infra'),
  duplicateTestOf,
})
const app = provider.getTracer('app')
const infra = provider.getTracer('infra-http')
const LIMITS = {
  attributeCountLimit: 128,
  attributeValueLengthLimit: 1_000,
  eventCountLimit: 128,
  linkCountLimit: 128,
  attributePerEventCountLimit: 128,
  attributePerLinkCountLimit: 128,
}
const lean = new PipelineProvider({
  recording,
  ids,
  isMuted: () => false,
  leanOf: leanTracers({
    ids,
    resource: resourceFromAttributes({}),
    sampler: new AlwaysOnSampler(),
    limits: LIMITS,
    processors: [],
  }),
}).getTracer('svc-sdk')

beforeAll(() => context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()))
afterAll(() => context.disable())
beforeEach(() => exporter.reset())

/** Runs `names` as nested active spans, `infra…` on the muted tracer, and returns what was exported, inner first. */
function nest(...names: string[]) {
  const [name, ...rest] = names
  if (name === undefined) return exporter.getFinishedSpans()
  const tracer = name.startsWith('infra') ? infra : app
  tracer.startActiveSpan(name, (span: Span) => {
    nest(...rest)
    span.end()
  })
  return exporter.getFinishedSpans()
}

describe('PipelineProvider', () => {
  it('gives children of muted spans the nearest recorded ancestor as parent', () => {
    const [inner, outer] = nest('a', 'infra-1', 'infra-2', 'b')
    expect(exporter.getFinishedSpans().map((span) => span.name)).toEqual(['b', 'a'])
    expect(inner?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId)
  })

  it('creates no context for a muted span inside a muted one', () => {
    infra.startActiveSpan('outer', (outer) => {
      const around = context.active()
      const [inner, inside] = infra.startActiveSpan('inner', (span) => [span, context.active()] as const)
      expect([inner === outer, inside === around]).toEqual([true, true])
    })
  })

  it('makes children of a muted root roots of one trace', () => {
    infra.startActiveSpan('infra-root', (root) => {
      nest('a')
      nest('infra', 'b')
      root.end()
    })
    const [a, b] = exporter.getFinishedSpans()
    expect(a?.parentSpanContext).toBeUndefined()
    expect(b?.parentSpanContext).toBeUndefined()
    expect(a?.spanContext().traceId).toBe(b?.spanContext().traceId)
  })

  it('gives them the remote parent of a muted root', () => {
    const remote = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1, isRemote: true }
    context.with(trace.setSpanContext(ROOT_CONTEXT, remote), () => nest('infra', 'a'))
    expect(exporter.getFinishedSpans()[0]?.parentSpanContext).toMatchObject({ spanId: remote.spanId })
  })

  it('starts new traces for children of a muted span without a trace', () => {
    context.with(trace.setSpan(ROOT_CONTEXT, new MutedSpan(INVALID_SPAN_CONTEXT)), () => nest('a'))
    expect(exporter.getFinishedSpans()[0]?.spanContext().traceId).not.toBe(INVALID_SPAN_CONTEXT.traceId)
  })

  it('does not use a given trace id for the next root', () => {
    context.with(trace.setSpan(ROOT_CONTEXT, new MutedSpan(traceOnly('c'.repeat(32)))), () => nest('a'))
    nest('b')
    const [a, b] = exporter.getFinishedSpans()
    expect(a?.spanContext().traceId).toBe('c'.repeat(32))
    expect(b?.spanContext().traceId).not.toBe('c'.repeat(32))
  })

  it("remembers a framework's call of a model that it does not make active", () => {
    const span = app.startSpan('chat', { attributes: { 'gen_ai.operation.name': 'chat' } })
    expect(trace.getSpan(withinFrameworkCall(context.active()))).toBe(span)
    app.startSpan('invoke_agent', { attributes: { 'gen_ai.operation.name': 'invoke_agent' } })
    expect(trace.getSpan(withinFrameworkCall(context.active()))).toBeUndefined()
  })

  it('starts a new trace with root: true', () => {
    context.with(trace.setSpan(ROOT_CONTEXT, new MutedSpan(traceOnly('c'.repeat(32)))), () =>
      app.startSpan('a', { root: true }).end(),
    )
    expect(exporter.getFinishedSpans()[0]?.spanContext().traceId).not.toBe('c'.repeat(32))
  })

  it.each(['app', 'infra'])('accepts undefined options and context (%s)', (scope) => {
    const tracer = provider.getTracer(scope)
    const start = (...args: unknown[]) => Reflect.apply(tracer.startActiveSpan, tracer, args)
    expect(start('a', undefined, undefined, () => 1)).toBe(1)
    expect(start('b', {}, undefined, () => 2)).toBe(2)
    expect(start('c', undefined, () => 3)).toBe(3)
  })

  it.each([
    ['the SDK', app],
    ['ours', lean],
  ])("reads clocks and random numbers outside the application's async context: %s", (_, tracer) => {
    const application = new AsyncLocalStorage<string>()
    const seen: (string | undefined)[] = []
    const now = vi.spyOn(Date, 'now').mockImplementation(() => seen.push(application.getStore()))
    const random = vi.spyOn(Math, 'random').mockImplementation(() => seen.push(application.getStore()) / 100)
    application.run('prerender', () => {
      const span = tracer.startSpan('a')
      span.addEvent('event')
      span.recordException(new Error('no'))
      span.end()
      infra.startSpan('b').end()
    })
    now.mockRestore()
    random.mockRestore()
    expect(seen.length).toBeGreaterThan(0)
    expect(new Set(seen)).toEqual(new Set([undefined]))
  })

  it('notifies processors of an SDK span in the context of the application at its start, and outside at its end', () => {
    const application = new AsyncLocalStorage<string>()
    const seen: unknown[] = []
    const look = () => seen.push(application.getStore())
    const processor = { onStart: look, onEnd: look, forceFlush: async () => {}, shutdown: async () => {} }
    const tracers = new TracerProvider({ spanProcessors: [processor] })
    const tracer = new PipelineProvider({ recording: tracers, ids, isMuted: () => false }).getTracer('app')
    const start = () => tracer.startSpan('a').end()
    application.run('request', start)
    const now = vi.spyOn(Date, 'now').mockReturnValue(1)
    application.run('prerender', start)
    now.mockRestore()
    expect(seen).toEqual(['request', undefined, undefined, undefined])
  })

  it('returns the same tracer for the same scope', () => {
    expect(provider.getTracer('app')).toBe(app)
    expect(provider.getTracer('app', '2')).not.toBe(app)
  })
})

describe('instrumentations of other vendors', () => {
  const shown = Symbol.for('svc.instrumented.6')
  afterEach(() => Reflect.deleteProperty(globalThis, shown))
  const names = (scope: string, ...spans: string[]) => {
    for (const name of spans) provider.getTracer(scope).startSpan(name).end()
    return exporter.getFinishedSpans().map((span) => span.name)
  }

  it.each([
    '@arizeai/openinference-instrumentation-openai',
    '@traceloop/instrumentation-openai',
    '@opentelemetry/instrumentation-openai',
  ])('%s records calls until the built-in one does', (scope) => {
    expect(names(scope, 'before')).toEqual(['before'])
    Reflect.set(globalThis, shown, new Set(['openai']))
    expect(names(scope, 'after')).toEqual(['before'])
  })

  it('record calls that are not recorded otherwise', () => {
    Reflect.set(globalThis, shown, new Set(['openai', 'cohere-ai']))
    expect(names('@traceloop/instrumentation-llamaindex', 'agent', 'chat gpt-test')).toEqual(['agent'])
    expect(names('@traceloop/instrumentation-cohere', 'cohere.rerank', 'cohere.chat')).toEqual([
      'agent',
      'cohere.rerank',
    ])
    expect(names('@traceloop/instrumentation-qdrant', 'search')).toContain('search')
    expect(names('@traceloop/instrumentation-constructor', 'chat')).toContain('chat')
  })

  it('may have a muted span as parent', () => {
    const wrapped = (span: Span) => Object.assign(Object.create(span), { span, spanContext: () => span.spanContext() })
    const around = trace.setSpan(ROOT_CONTEXT, wrapped(infra.startSpan('infra-root', {}, ROOT_CONTEXT)))
    for (const name of ['a', 'b']) app.startSpan(name, {}, around).end()
    const [a, b] = exporter.getFinishedSpans()
    expect(a?.spanContext().traceId).toBe(b?.spanContext().traceId)
  })
})

describe('a span of another provider', () => {
  const resource = resourceFromAttributes({})
  const own = new TracerProvider({
    resource,
    idGenerator: ids,
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  })
  const tracer = new PipelineProvider({ recording: own, ids, isMuted: () => false, resource }).getTracer('app')
  const foreign = new TracerProvider().getTracer('foreign')
  const within = (above: Span) => trace.setSpan(ROOT_CONTEXT, above)

  it('is not used as a parent: children get its own parent', () => {
    const outer = tracer.startSpan('outer')
    const between = foreign.startSpan('between', {}, within(outer))
    tracer.startSpan('inner', {}, within(between)).end()
    expect(exporter.getFinishedSpans()[0]?.parentSpanContext?.spanId).toBe(outer.spanContext().spanId)
  })

  it('is used as a parent if it is an observation, which is delivered with any provider', () => {
    const observation = new TracerProvider().getTracer('svc-sdk').startSpan('observation', {}, ROOT_CONTEXT)
    tracer.startSpan('inner', {}, within(observation)).end()
    expect(exporter.getFinishedSpans()[0]?.parentSpanContext?.spanId).toBe(observation.spanContext().spanId)
  })

  it('determines the trace if it is the first span', () => {
    const first = foreign.startSpan('first', {}, ROOT_CONTEXT)
    tracer.startSpan('inner', {}, within(first)).end()
    const [inner] = exporter.getFinishedSpans()
    expect(inner?.parentSpanContext).toBeUndefined()
    expect(inner?.spanContext().traceId).toBe(first.spanContext().traceId)
  })
})

describe("Next's wrapping of tracers", () => {
  /** As Next's instrumentation-node-extensions.js does to every tracer. */
  function wrapAsNext(tracer: Tracer) {
    const calls: string[] = []
    const workUnitAsyncStorage = new AsyncLocalStorage()
    const { startSpan, startActiveSpan } = tracer
    tracer.startSpan = (...args) => {
      calls.push('startSpan')
      return workUnitAsyncStorage.exit(() => startSpan.apply(tracer, args))
    }
    tracer.startActiveSpan = (...args: never) => {
      calls.push('startActiveSpan')
      return workUnitAsyncStorage.exit(() => Reflect.apply(startActiveSpan, tracer, args))
    }
    return calls
  }

  it('does not apply to startSpan, which reads clock and ids outside of what Next renders already', () => {
    const tracer = provider.getTracer('wrapped')
    const calls = wrapAsNext(tracer)
    tracer.startSpan('one').end()
    tracer.startActiveSpan('two', (span) => span.end())
    expect([calls, exporter.getFinishedSpans().map(({ name }) => name)]).toEqual([['startActiveSpan'], ['one', 'two']])
  })

  it('does not apply to the tracer of muted scopes', () => {
    const tracer = new PipelineProvider({ recording, ids, isMuted: () => true }).getTracer('infra-next')
    const calls = wrapAsNext(tracer)
    expect(tracer.startActiveSpan('page', () => tracer.startSpan('inner').isRecording())).toBe(false)
    expect(calls).toEqual([])
  })

  it('leaves other replacements in effect', () => {
    const tracer = provider.getTracer('replaced')
    const span = trace.wrapSpanContext(INVALID_SPAN_CONTEXT)
    tracer.startSpan = () => span
    expect(tracer.startSpan('any')).toBe(span)
  })
})
