import { defaultTextMapGetter, defaultTextMapSetter, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { environmentOf } from '@svc/core/environment'
import { describe, expect, it } from 'vitest'
import { buildEngine, type Engine } from './build-engine.ts'
import { FlatContextManager } from './flat-context-manager.ts'
import { lazy } from './lazy.ts'
import { planOf } from './plan.ts'
import { LazyPropagator, LazyTracerProvider } from './stand-ins.ts'

const env = environmentOf({ SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: 'http://127.0.0.1:1' })

function setUp() {
  const plan = planOf({}, env)
  if (!plan) throw new Error('there is a plan')
  return lazy(() => buildEngine(plan, new FlatContextManager()))
}
const contexts = new FlatContextManager()
const failing = () =>
  lazy((): Engine => {
    throw new Error('no such chunk')
  })

describe('the lazy tracer provider', () => {
  it('creates the engine with the first span, not with the tracer', () => {
    const engine = setUp()
    const tracer = new LazyTracerProvider(engine, contexts).getTracer('my-scope')
    expect(engine.made).toBeUndefined()
    const span = tracer.startSpan('first')
    expect(engine.made).toBeDefined()
    expect(span.isRecording()).toBe(true)
    expect(tracer.startActiveSpan('second', (inner) => inner.isRecording())).toBe(true)
  })

  it('knows a provider that has its tracers from it', () => {
    const provider = new LazyTracerProvider(failing(), contexts)
    const around = { getTracer: (name: string) => provider.getTracer(name) }
    expect([around, { getTracer: () => trace.getTracer('other') }].map((other) => provider.isBehind(other))).toEqual([
      true,
      false,
    ])
  })

  it('flushes and shuts down an existing engine, and creates none for that', async () => {
    const engine = setUp()
    const provider = new LazyTracerProvider(engine, contexts)
    await provider.forceFlush()
    await provider.shutdown()
    expect(engine.made).toBeUndefined()
  })

  it('returns no-op tracers if no engine can be created', () => {
    const span = new LazyTracerProvider(failing(), contexts).getTracer('my-scope').startSpan('first')
    expect(span.isRecording()).toBe(false)
  })
})

describe('the lazy propagator', () => {
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`

  it('forwards to the propagator of the engine', () => {
    const propagator = new LazyPropagator(setUp())
    const context = propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter)
    expect(trace.getSpanContext(context)?.traceId).toBe('a'.repeat(32))
    const carrier = {}
    propagator.inject(context, carrier, defaultTextMapSetter)
    expect(carrier).toEqual({ traceparent })
    expect(propagator.fields()).toContain('traceparent')
  })

  it('changes nothing if no engine can be created', () => {
    const propagator = new LazyPropagator(failing())
    const carrier = {}
    propagator.inject(ROOT_CONTEXT, carrier, defaultTextMapSetter)
    expect(propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter)).toBe(ROOT_CONTEXT)
    expect([carrier, propagator.fields()]).toEqual([{}, []])
  })
})
