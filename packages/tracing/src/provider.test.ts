import { trace } from '@opentelemetry/api'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { useTracing } from '../test/support.ts'
import {
  getSvcTracer,
  getSvcTracerProvider,
  setSvcTracerProvider,
  startActiveObservation,
  startObservation,
} from './index.ts'

const { lines, span, spans } = useTracing()
afterEach(() => setSvcTracerProvider(null))
// The copies made here have a provider of their own.
afterAll(() => vi.resetModules())

function isolated() {
  const exporter = new InMemorySpanExporter()
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  return { provider, names: () => exporter.getFinishedSpans().map(({ name }) => name) }
}

describe('a separate provider for observations', () => {
  it('receives the observations, and only those', () => {
    const { provider, names } = isolated()
    setSvcTracerProvider(provider)
    expect(getSvcTracerProvider()).toBe(provider)
    startObservation('ours').end()
    getSvcTracer().startSpan('by hand').end()
    trace.getTracer('other').startSpan('theirs').end()
    expect([names(), spans().map(({ name }) => name)]).toEqual([['ours', 'by hand'], ['theirs']])
  })

  it('shares trace ids and parents with the global spans', () => {
    setSvcTracerProvider(isolated().provider)
    const traceId = startActiveObservation('ours', (ours) => {
      trace.getTracer('other').startSpan('theirs').end()
      return ours.traceId
    })
    expect(span('theirs').spanContext().traceId).toBe(traceId)
  })

  it('is reset to the global one with null', () => {
    setSvcTracerProvider(isolated().provider)
    setSvcTracerProvider(null)
    startObservation('ours').end()
    expect(spans().map(({ name }) => name)).toEqual(['ours'])
    expect(getSvcTracerProvider()).toBe(trace.getTracerProvider())
  })

  it('returns its tracer once, and again when its method is replaced', () => {
    const { provider, names } = isolated()
    const getTracer = vi.spyOn(provider, 'getTracer')
    setSvcTracerProvider(provider)
    for (const name of ['one', 'two']) startObservation(name).end()
    expect(getTracer).toHaveBeenCalledOnce()
    const { getTracer: original } = provider
    const replaced = vi.fn((...args: Parameters<typeof original>) => original.apply(provider, args))
    provider.getTracer = replaced
    for (const name of ['three', 'four']) startObservation(name).end()
    expect(replaced).toHaveBeenCalledOnce()
    expect(names()).toEqual(['one', 'two', 'three', 'four'])
  })

  it('is shared by another copy of the package', async () => {
    const { provider } = isolated()
    setSvcTracerProvider(provider)
    vi.resetModules()
    const copy = await import('./index.ts')
    expect(copy.getSvcTracerProvider).not.toBe(getSvcTracerProvider)
    expect(copy.getSvcTracerProvider()).toBe(provider)
    copy.setSvcTracerProvider(null)
    expect(getSvcTracerProvider()).toBe(trace.getTracerProvider())
  })

  it('is stored in a non-enumerable, read-only global', () => {
    getSvcTracerProvider()
    const slot = Object.getOwnPropertyDescriptor(globalThis, Symbol.for('svc'))
    expect(slot).toMatchObject({ enumerable: false, writable: false })
  })

  it.each([undefined, {}, 'provider'])('is not replaced by %j, with one warning', (nonsense) => {
    setSvcTracerProvider(nonsense as never)
    expect(lines('setSvcTracerProvider is ignored')).toHaveLength(1)
    expect(getSvcTracerProvider()).toBe(trace.getTracerProvider())
  })
})

it('a provider is kept in this copy, with a warning, if globalThis is frozen', async () => {
  vi.resetModules()
  const define = Object.defineProperty
  vi.spyOn(Object, 'defineProperty').mockImplementation((target, ...rest) => {
    if (target === globalThis) throw new TypeError('not extensible')
    return define(target, ...rest)
  })
  const symbol = Symbol.for
  vi.spyOn(Symbol, 'for').mockImplementation((key) => (key === 'svc' ? Symbol('svc') : symbol(key)))
  const copy = await import('./provider.ts')
  const { provider } = isolated()
  copy.setSvcTracerProvider(provider)
  expect(copy.getSvcTracerProvider()).toBe(provider)
  expect(lines('globalThis cannot be extended')).toHaveLength(1)
})
