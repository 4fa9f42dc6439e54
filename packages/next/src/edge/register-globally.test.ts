import { AsyncLocalStorage } from 'node:async_hooks'
import { runInThisContext } from 'node:vm'
import type * as Api from '@opentelemetry/api'
import { API_SLOT } from '@svc/core/api-global'
import { build, type Rolldown } from 'vite'
import { afterEach, expect, it } from 'vitest'
import { edgeContextManager } from './edge-context.ts'
import { EdgeTracerProvider } from './edge-tracer.ts'
import { registerGlobally } from './register-globally.ts'
import { w3cPropagator } from './w3c-propagator.ts'

afterEach(() => void Reflect.deleteProperty(globalThis, API_SLOT))

/** A copy of OpenTelemetry's API that has this version. */
async function copyOf(version: string): Promise<typeof Api> {
  const entry = '/api.mjs'
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'copy',
        enforce: 'pre',
        resolveId: (source) => (source === entry ? entry : undefined),
        load: (id) =>
          id === entry ? `export * from ${JSON.stringify(import.meta.resolve('@opentelemetry/api'))}` : undefined,
        transform: (code, id) => (id.includes('@opentelemetry/api') ? code.replaceAll('1.10.0', version) : undefined),
      },
    ],
    build: { write: false, minify: false, lib: { entry, formats: ['cjs'], name: 'api' } },
  })
  const [{ output }] = [result].flat() as [Rolldown.RolldownOutput]
  const exports = {}
  runInThisContext(`(exports) => {${output[0].code}}`)(exports)
  return exports as typeof Api
}

const started: string[] = []
const ours = () => {
  const provider = new EdgeTracerProvider({
    resource: { attributes: {} } as never,
    isMuted: () => false,
    onStart: (span) => void started.push(span.name),
    onEnd() {},
  })
  return registerGlobally(provider, edgeContextManager(AsyncLocalStorage), w3cPropagator)
}

it.each(['1.9.0', '1.9.1', '1.10.0', '1.11.0', '1.42.0'])(
  'a copy of the API in version %s sees all of it',
  async (version) => {
    expect(ours()).toBe(true)
    const { context, propagation, ROOT_CONTEXT, trace } = await copyOf(version)
    trace.getTracer('app').startActiveSpan('seen', (span) => {
      expect([started.at(-1), trace.getActiveSpan()]).toEqual(['seen', span])
      const headers: Record<string, string> = {}
      propagation.inject(context.active(), headers)
      expect(headers.traceparent).toContain(span.spanContext().spanId)
      expect(trace.getSpanContext(propagation.extract(ROOT_CONTEXT, headers))).toMatchObject({ isRemote: true })
    })
  },
)

it.each(['1.9.0', '1.10.0', '1.11.0'])('joins what a copy in version %s has registered before', async (version) => {
  const { context, diag, propagation, ROOT_CONTEXT, trace } = await copyOf(version)
  diag.setLogger({ error() {}, warn() {}, info() {}, debug() {}, verbose() {} })
  const propagator = { inject() {}, extract: (within: Api.Context) => within, fields: () => ['own'] }
  propagation.setGlobalPropagator(propagator)
  expect(ours()).toBe(true)
  expect(propagation.fields()).toEqual(['own'])
  const span = trace.getTracer('app').startSpan('joined')
  expect(started.at(-1)).toBe('joined')
  expect(context.with(trace.setSpan(ROOT_CONTEXT, span), () => trace.getActiveSpan())).toBe(span)
})

it('a provider that was there before stays', async () => {
  const { trace } = await copyOf('1.10.0')
  const provider = { getTracer: () => ({}) as Api.Tracer }
  trace.setGlobalTracerProvider(provider)
  expect(ours()).toBe(false)
  expect(trace.getTracerProvider()).not.toBeInstanceOf(EdgeTracerProvider)
})
