import { propagation, ROOT_CONTEXT } from '@opentelemetry/api'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { environmentOf } from '@svc/core/environment'
import { expect, it, vi } from 'vitest'
import { SvcSpanProcessor } from './processor.ts'

function setUp() {
  const exporter = new InMemorySpanExporter()
  const env = environmentOf({ SVC_TRACING_ENVIRONMENT: 'first', SVC_RELEASE: 'r1' })
  const processor = new SvcSpanProcessor({
    exporter,
    exportMode: 'immediate',
    env,
    mask: ({ data }) => `${data} masked`,
  })
  const other = new InMemorySpanExporter()
  const provider = new TracerProvider({ spanProcessors: [processor, new SimpleSpanProcessor({ exporter: other })] })
  const record = async (name: string) => {
    provider
      .getTracer('svc-sdk')
      .startSpan(name, { attributes: { 'svc.observation.input': name } })
      .end()
    await processor.forceFlush()
    return exporter.getFinishedSpans().find((span) => span.name === name)?.attributes
  }
  return { processor, record }
}

it('attached options apply to later spans, and other options stay', async () => {
  const { processor, record } = setUp()
  expect(await record('before')).toMatchObject({ 'svc.environment': 'first', 'svc.release': 'r1' })
  processor.attach({ environment: 'second' })
  expect(await record('after')).toMatchObject({ 'svc.environment': 'second', 'svc.release': 'r1' })
})

it('an attached mask is applied in addition to the existing one', async () => {
  const { processor, record } = setUp()
  processor.attach({ mask: ({ data }) => `${data} twice` })
  expect(await record('in')).toMatchObject({ 'svc.observation.input': 'in twice masked' })
})

it('an attached filter replaces the existing one', async () => {
  const { processor, record } = setUp()
  processor.attach({ shouldExportSpan: ({ otelSpan }) => otelSpan.name === 'wanted' })
  expect(await record('unwanted')).toBeUndefined()
  expect(await record('wanted')).toBeDefined()
})

it('attached scopes are added to the allowed ones, and do not change a custom filter', async () => {
  const exporter = new InMemorySpanExporter()
  const processor = new SvcSpanProcessor({ exporter, exportMode: 'immediate', allowedScopes: ['one'] })
  const provider = new TracerProvider({ spanProcessors: [processor] })
  const passing = async (...scopes: string[]) => {
    exporter.reset()
    for (const scope of scopes) provider.getTracer(scope).startSpan(scope).end()
    await processor.forceFlush()
    return exporter.getFinishedSpans().map(({ name }) => name)
  }
  processor.attach({ allowedScopes: ['two'] })
  expect(await passing('one', 'two', 'three')).toEqual(['one', 'two'])
  processor.attach({ shouldExportSpan: ({ otelSpan }) => otelSpan.name === 'three' })
  processor.attach({ allowedScopes: ['one'] })
  expect(await passing('one', 'two', 'three')).toEqual(['three'])
})

it('attaching trustBaggage changes what counts from then on', async () => {
  const exporter = new InMemorySpanExporter()
  const processor = new SvcSpanProcessor({ exporter, exportMode: 'immediate' })
  const provider = new TracerProvider({ spanProcessors: [processor] })
  const claimed = propagation.setBaggage(ROOT_CONTEXT, propagation.createBaggage({ svc_user_id: { value: 'ada' } }))
  const users = async () => {
    exporter.reset()
    provider.getTracer('svc-sdk').startSpan('a', {}, claimed).end()
    await processor.forceFlush()
    return exporter.getFinishedSpans().map(({ attributes }) => attributes['user.id'])
  }
  expect(await users()).toEqual(['ada'])
  processor.attach({ trustBaggage: false })
  expect(await users()).toEqual([undefined])
  processor.attach({ trustBaggage: ['loopback'] })
  expect(await users()).toEqual([undefined])
  processor.attach({ trustBaggage: true })
  expect(await users()).toEqual(['ada'])
})

it('attaching options that are in force already causes no warning', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const exporter = new InMemorySpanExporter()
  const given = {
    ...{ exporter, exportMode: 'immediate' as const, publicKey: 'pk', secretKey: 'sk', baseUrl: 'https://a.example/' },
    ...{ flushAt: 7, timeout: 3, additionalHeaders: { a: 'b' } },
  }
  const processor = new SvcSpanProcessor(given)
  processor.attach({ ...given, additionalHeaders: { a: 'b' }, baseUrl: 'https://a.example' })
  expect(warn.mock.calls).toEqual([])
  processor.attach({ exportMode: 'batched' })
  expect(warn.mock.calls.flat().join()).toMatch(/option exportMode comes too late and is ignored/)
  warn.mockRestore()
})

it('attaching an option that is fixed at the start causes a warning that names it', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  setUp().processor.attach({ baseUrl: 'https://elsewhere.example' })
  expect(warn.mock.calls.flat().join()).toMatch(/option baseUrl comes too late and is ignored/)
  warn.mockRestore()
})
