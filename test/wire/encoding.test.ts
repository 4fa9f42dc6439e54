import { type Attributes, ROOT_CONTEXT, SpanKind, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { type LocalService, startLocal } from '@svc/local'
import { SvcSpanProcessor } from '@svc/otel'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'

let ours: LocalService
let standard: LocalService
let provider: TracerProvider

beforeAll(async () => {
  ours = await startLocal()
  standard = await startLocal()
  const { publicKey, secretKey, url } = standard
  // Of a request that is given up on a busy machine the spans come later, among those of the next test.
  const timeoutMillis = 60_000
  const exporter = new OTLPTraceExporter({
    url: `${url}/api/public/otel/v1/traces`,
    headers: { authorization: `Basic ${btoa(`${publicKey}:${secretKey}`)}` },
    timeoutMillis,
  })
  const keep = () => true
  provider = new TracerProvider({
    spanLimits: { eventCountLimit: 2, linkCountLimit: 1, attributeCountLimit: 20 },
    spanProcessors: [
      new SvcSpanProcessor({
        publicKey: ours.publicKey,
        secretKey: ours.secretKey,
        baseUrl: ours.url,
        shouldExportSpan: keep,
        mediaUploadEnabled: false,
        timeout: timeoutMillis / 1_000,
      }),
      new SimpleSpanProcessor({ exporter }),
    ],
  })
})
afterAll(async () => {
  await provider.shutdown()
  await Promise.all([ours.close(), standard.close()])
})

/** Sends what `record` makes both ways and returns the two readings, ordered. */
async function bothWays(record: () => void) {
  const [before, beforeStandard] = [ours.spans().length, standard.spans().length]
  record()
  await provider.forceFlush()
  const bySpan = (a: { spanId: string }, b: { spanId: string }) => a.spanId.localeCompare(b.spanId)
  return [ours.spans().slice(before).sort(bySpan), standard.spans().slice(beforeStandard).sort(bySpan)] as const
}

const remote = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: TraceFlags.SAMPLED, isRemote: true }

it("our encoder and OpenTelemetry's give the same span in every part", async () => {
  const [mine, theirs] = await bothWays(() => {
    const tracer = provider.getTracer('svc-sdk', '1.2.3')
    const span = tracer.startSpan(
      'grüße 👋 '.repeat(40),
      { kind: SpanKind.PRODUCER, links: [{ context: remote, attributes: { linked: true } }, { context: remote }] },
      trace.setSpanContext(ROOT_CONTEXT, remote),
    )
    span.setAttributes({
      text: 'a'.repeat(50_000),
      short: 'é',
      empty: '',
      whole: 42,
      negative: -7,
      large: Number.MAX_SAFE_INTEGER,
      fraction: 1 / 3,
      tiny: 5e-324,
      yes: true,
      no: false,
      texts: ['a', 'b', 'ü'],
      numbers: [1, 2.5, -3],
    })
    for (let extra = 0; extra < 20; extra++) span.setAttribute(`extra ${extra}`, extra)
    span.addEvent('one', { at: 1 }).addEvent('two').addEvent('three')
    span.setStatus({ code: 2, message: 'it failed' })
    span.end()
    provider
      .getTracer('gen_ai')
      .startSpan('plain', { startTime: [1_700_000_000, 999_999_999] })
      .end([1_900_000_000, 1])
  })
  expect(mine).toHaveLength(2)
  expect(mine).toEqual(theirs)
})

it("our encoder and OpenTelemetry's give the same attributes for any values", async () => {
  const value = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.array(fc.string()),
    fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })),
    fc.dictionary(fc.string({ minLength: 1 }), fc.oneof(fc.string(), fc.integer(), fc.array(fc.boolean()))),
  )
  const attributes = fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), value, { maxKeys: 12 })
  await fc.assert(
    fc.asyncProperty(fc.array(attributes, { minLength: 1, maxLength: 5 }), async (spans) => {
      const [mine, theirs] = await bothWays(() => {
        for (const each of spans) {
          const span = provider.getTracer('svc-sdk').startSpan('any')
          span.setAttributes(each as Attributes).end()
        }
      })
      expect(mine).toHaveLength(spans.length)
      expect(mine).toEqual(theirs)
    }),
    { numRuns: 50 },
  )
})
