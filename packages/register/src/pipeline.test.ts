import { createHook } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { InMemorySpanExporter } from '@opentelemetry/sdk-trace'
import { environmentOf } from '@svc/core/environment'
import { expect, it, vi } from 'vitest'
import { LeanSpan } from './lean/lean-span.ts'
import { buildPipeline } from './pipeline.ts'
import { type Plan, planOf } from './plan.ts'
import type { StartOptions } from './start-options.ts'

const keys = { SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: 'http://127.0.0.1:1' }

function setUp(options: StartOptions = {}, variables: Record<string, string> = {}) {
  const exporter = new InMemorySpanExporter()
  const plan = planOf({ exporter, ...options }, environmentOf({ ...keys, ...variables }), () => {}) as Plan
  const pipeline = buildPipeline(plan)
  /** What is exported of an infrastructure span with one of ours inside: name, parent, name of the service. */
  const record = async () => {
    exporter.reset()
    const outer = pipeline.provider.getTracer('next.js').startSpan('outer')
    const around = trace.setSpan(ROOT_CONTEXT, outer)
    pipeline.provider.getTracer('svc-sdk').startSpan('inner', {}, around).end()
    outer.end()
    await pipeline.provider.forceFlush()
    const spans = exporter.getFinishedSpans()
    const nameOf = (id: string | undefined) => spans.find((span) => span.spanContext().spanId === id)?.name
    return spans.map((span) => [
      span.name,
      span.parentSpanContext === undefined ? null : nameOf(span.parentSpanContext.spanId),
      span.resource.attributes['service.name'],
    ])
  }
  return { pipeline, record }
}

it.each([
  [undefined, [['inner', null, 'shop']]],
  ['mute', [['inner', null, 'shop']]],
  ['drop', [['inner', null, 'shop']]],
  [
    'keep',
    [
      ['inner', 'outer', 'shop'],
      ['outer', null, 'shop'],
    ],
  ],
] as const)('infrastructure spans that are %s leave no gap in the trace', async (treatment, expected) => {
  const scopes = treatment && { 'next.js': treatment }
  expect(await setUp({ serviceName: 'shop', scopes }).record()).toEqual(expected)
})

it('a blocked scope wins over allowed scopes and a custom filter', async () => {
  const { record } = setUp({ scopes: { 'next.js': 'mute' } }, { SVC_OTEL_ALLOWED_SCOPES: 'next.js' })
  expect((await record()).map(([name]) => name)).toEqual(['inner'])
  const all = setUp({ scopes: { 'next.js': 'mute' }, shouldExportSpan: () => true })
  expect((await all.record()).map(([name]) => name)).toEqual(['inner'])
})

it('options attached to a running pipeline apply from then on', async () => {
  const { pipeline, record } = setUp({}, { OTEL_SERVICE_NAME: 'from the environment' })
  expect(await record()).toEqual([['inner', null, 'from the environment']])
  pipeline.attach({ serviceName: 'shop', scopes: { 'next.js': 'keep' } })
  expect(await record()).toEqual([
    ['inner', 'outer', 'shop'],
    ['outer', null, 'shop'],
  ])
  pipeline.attach({ scopes: { 'next.js': 'mute' } })
  expect(await record()).toEqual([['inner', null, 'shop']])
})

it('an option about callers wins over the variable, and one that refuses everybody stays', () => {
  const variables = { SVC_TRUST_TRACEPARENT: 'true', SVC_TRUST_BAGGAGE: 'false' }
  const { pipeline } = setUp({}, variables)
  const trust = () => [pipeline.requestSettings.trustTraceparent, pipeline.requestSettings.trustBaggage]
  expect(trust()).toEqual([true, false])
  pipeline.attach({ trustTraceparent: ['192.0.2.0/24'], trustBaggage: true })
  expect(trust()).toEqual([['192.0.2.0/24'], true])
  pipeline.attach({ trustTraceparent: false, trustBaggage: ['nowhere'] })
  pipeline.attach({ trustTraceparent: true, trustBaggage: true })
  expect(trust()).toEqual([false, false])
  const refusing = setUp({ trustBaggage: false }, variables).pipeline
  refusing.attach({ trustBaggage: true })
  expect(refusing.requestSettings.trustBaggage).toBe(false)
})

it('a second destination receives spans of the SDK', () => {
  const isLean = (variables: Record<string, string>) =>
    setUp({}, variables).pipeline.provider.getTracer('svc-sdk').startSpan('a') instanceof LeanSpan
  expect(isLean({})).toBe(true)
  expect(isLean({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })).toBe(false)
})

it('reports its first span once, and none after its end', async () => {
  const scopes: unknown[] = []
  const listen = (message: unknown) => scopes.push(message)
  subscribe('svc:span:start', listen)
  const first = vi.fn()
  const { pipeline, record } = setUp()
  pipeline.onFirstSpan(first)
  await record()
  await record()
  unsubscribe('svc:span:start', listen)
  expect(first).toHaveBeenCalledOnce()
  expect(scopes).toEqual([{ scope: 'svc-sdk' }, { scope: 'svc-sdk' }])
  const stopped = setUp().pipeline
  const never = vi.fn()
  stopped.onFirstSpan(never)
  await stopped.shutdown()
  await record()
  expect(never).not.toHaveBeenCalled()
})

it('with a second destination a span leaves the async context of the application once', () => {
  const { pipeline } = setUp({}, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })
  const span = pipeline.provider.getTracer('svc-sdk').startSpan('a')
  expect(span).not.toBeInstanceOf(LeanSpan)
  let entered = 0
  const hook = createHook({ before: () => entered++ }).enable()
  span.end()
  hook.disable()
  expect(entered).toBe(1)
})
