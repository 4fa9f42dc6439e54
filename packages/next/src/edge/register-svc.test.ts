import { propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { API_SLOT } from '@svc/core/api-global'
import { getRuntime } from '@svc/core/registry'
import type { MaskFunction, ReadableSpan, SpanExporter } from '@svc/otel/edge'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { flushesEachRequest } from '../host.ts'
import { registerSvc } from './register-svc.ts'

let lines: string[]
beforeEach(() => {
  lines = []
  vi.spyOn(console, 'warn').mockImplementation((line: string) => void lines.push(line.replace(/^.*\[WARN\] /, '')))
})
afterEach(() => {
  vi.restoreAllMocks()
  const ours = ['svc.runtime.6', 'svc.next.6', 'svc.log.6'].map((slot) => Symbol.for(slot))
  for (const slot of [...ours, API_SLOT]) Reflect.deleteProperty(globalThis, slot)
})

// As the bundle of each function of an edge runtime does.
it('registerSvc may be called again with the same options', async () => {
  const options = () => ({
    publicKey: 'pk',
    secretKey: 'sk',
    baseUrl: 'http://127.0.0.1:1/',
    allowedScopes: ['own'],
    additionalHeaders: { a: 'b' },
    mask: () => 'masked',
    serviceName: 'shop',
    flush: 'always' as const,
    trustTraceparent: true,
  })
  await registerSvc(options())
  await registerSvc(options())
  await registerSvc()
  expect(lines.filter((line) => line.includes('too late'))).toEqual([])
})

it('an option of registerSvc that changes once tracing runs is named', async () => {
  await registerSvc({ publicKey: 'pk', secretKey: 'sk', allowedScopes: ['own'] })
  await registerSvc({ publicKey: 'other', secretKey: 'sk', allowedScopes: ['own', 'more'], flushAt: 3 })
  expect(lines.filter((line) => line.includes('too late'))).toEqual(
    ['publicKey', 'allowedScopes', 'flushAt'].map(
      (name) => `option ${name} comes too late and is ignored: tracing has started. Set it there.`,
    ),
  )
})

it('what registerSvc says of the host is decided by the first, too', async () => {
  await registerSvc({ publicKey: 'pk', secretKey: 'sk', flush: 'always' })
  await registerSvc({ flush: 'never', serviceName: 'other' })
  await registerSvc()
  expect(flushesEachRequest()).toBe(true)
  expect(lines.filter((line) => line.includes('too late'))).toHaveLength(2)
})

/** What is sent of a span that was open while each of these masks was given to a `registerSvc` of its own. */
async function sentWith(...masks: readonly (MaskFunction | undefined)[]) {
  const sent: unknown[] = []
  const exporter: SpanExporter = {
    export(spans: ReadableSpan[], done) {
      sent.push(...spans.map(({ attributes }) => attributes['svc.observation.input']))
      done({ code: 0 })
    },
    shutdown: async () => {},
  }
  await registerSvc({ exporter, mask: masks[0] })
  const span = trace.getTracer('svc-sdk').startSpan('open', { attributes: { 'svc.observation.input': 'text' } })
  for (const mask of masks.slice(1)) await registerSvc({ mask })
  span.end()
  await getRuntime()?.forceFlush()
  expect(lines.filter((line) => line.includes('too late'))).toEqual([])
  return sent
}

it('a mask of a later registerSvc applies, too', async () => {
  expect(await sentWith(undefined, ({ data }) => `${data}, masked`)).toEqual(['text, masked'])
})

it('different masks all apply, and copies of one as one', async () => {
  const one = (): MaskFunction => {
    return ({ data }) => `${data}, masked`
  }
  expect(await sentWith(one(), ({ data }) => `${data} twice`, one())).toEqual(['text twice, masked'])
})

it('masks that are bound functions all apply, since their sources are the same', async () => {
  const bound = (word: string) =>
    function (this: string, { data }: { data: unknown }) {
      return `${data}, ${this}`
    }.bind(word)
  const one = bound('masked')
  expect(await sentWith(one, bound('again'), one)).toEqual(['text, again, masked'])
})

it('an application writes and reads headers with the propagator that registerSvc brings', async () => {
  await registerSvc({ publicKey: 'pk', secretKey: 'sk', trustTraceparent: true })
  const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`
  const received = propagation.extract(ROOT_CONTEXT, { traceparent, baggage: 'a=1' })
  expect(trace.getSpanContext(received)).toMatchObject({ traceId: '1'.repeat(32), isRemote: true })
  const sent = {}
  propagation.inject(received, sent)
  expect(sent).toEqual({ traceparent, baggage: 'a=1' })
})

it('a caller is believed with true only, because no address is known, and the first one refused is reported', async () => {
  await registerSvc({ publicKey: 'pk', secretKey: 'sk', trustTraceparent: ['127.0.0.0/8'] })
  const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-00`
  const received = propagation.extract(ROOT_CONTEXT, { traceparent, baggage: 'svc_user_id=evil,a=1' })
  propagation.extract(ROOT_CONTEXT, { traceparent })
  expect(trace.getSpanContext(received)).toBeUndefined()
  const sent = {}
  propagation.inject(received, sent)
  expect(sent).toEqual({ baggage: 'a=1' })
  expect(lines.filter((line) => line.includes('which is not trusted'))).toHaveLength(1)
})

it('a propagator that was there before registerSvc stays', async () => {
  const own = { inject: vi.fn(), extract: vi.fn(), fields: () => [] }
  propagation.setGlobalPropagator(own)
  await registerSvc({ publicKey: 'pk', secretKey: 'sk' })
  propagation.inject(ROOT_CONTEXT, {})
  expect(own.inject).toHaveBeenCalled()
})
