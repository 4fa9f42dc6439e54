import { metrics } from '@opentelemetry/api'
import type { SvcHealth } from '@svc/core/health'
import { VERSION } from '@svc/core/version'
import { afterEach, describe, expect, it } from 'vitest'
import { catchLog } from '../test/support/console.ts'
import { expectToAddUp } from '../test/support/health.ts'
import { startIntake } from '../test/support/intake.ts'
import { meterProvider } from '../test/support/meters.ts'
import { KEYS, tracing } from '../test/support/tracing.ts'
import { SelfMetrics } from './self-metrics.ts'

catchLog()

const QUEUE = 'otel.sdk.processor.span.queue.size'
const PROCESSED = 'otel.sdk.processor.span.processed'
const EXPORTED = 'otel.sdk.exporter.span.exported'

const health = (overrides: Partial<SvcHealth> = {}): SvcHealth => ({
  ...{ state: 'ok', ended: 0, sent: 0, pending: 0, dropped: {} },
  ...{ pendingBytes: 0, lastSuccess: undefined, lastFailure: undefined },
  ...overrides,
})

/** Registers a provider and lets the metrics find it. */
function found(read: () => SvcHealth) {
  const meter = meterProvider()
  metrics.setGlobalMeterProvider(meter.provider)
  const selfMetrics = new SelfMetrics(read)
  selfMetrics.look()
  return { ...meter, selfMetrics }
}

afterEach(() => metrics.disable())

describe('the metrics of the processor', () => {
  it('have the names, units and kinds of the OpenTelemetry conventions', async () => {
    const [scope] = await found(() => health({ dropped: { queue_full: 1 } })).collected()
    expect(scope?.scope).toMatchObject({ name: '@svc/otel', version: VERSION })
    const kinds = scope?.metrics.map(({ descriptor: { name, unit }, isMonotonic }) => ({ name, unit, isMonotonic }))
    expect(kinds).toEqual([
      { name: QUEUE, unit: '{span}', isMonotonic: false },
      { name: PROCESSED, unit: '{span}', isMonotonic: true },
      { name: EXPORTED, unit: '{span}', isMonotonic: true },
    ])
  })

  // https://opentelemetry.io/docs/specs/semconv/registry/attributes/otel/#otel-component-type: well-known values MUST
  // be used where one applies; other types have their name in the language.
  it('have the component type and name of the conventions', async () => {
    const [scope] = await found(() => health()).collected()
    const components = scope?.metrics.map(({ descriptor, dataPoints: [point] }) => [descriptor.name, point?.attributes])
    const processor = {
      'otel.component.type': 'SvcSpanProcessor',
      'otel.component.name': expect.stringMatching(/^SvcSpanProcessor\/\d+$/),
    }
    expect(components).toEqual([
      [QUEUE, processor],
      [PROCESSED, processor],
      [
        EXPORTED,
        {
          'otel.component.type': 'otlp_http_span_exporter',
          'otel.component.name': expect.stringMatching(/^otlp_http_span_exporter\/\d+$/),
        },
      ],
    ])
  })

  it('are the counts of the ledger, with dropped spans by reason, in the exporter or before it', async () => {
    const dropped = { queue_full: 4, max_retry_age: 5, rejected: 6 }
    const { figures } = found(() => health({ ended: 25, sent: 7, pending: 3, dropped }))
    expect(await figures()).toEqual({
      [QUEUE]: 3,
      [PROCESSED]: 7,
      [`${PROCESSED} queue_full`]: 4,
      [`${PROCESSED} max_retry_age`]: 5,
      [`${PROCESSED} rejected`]: 6,
      [EXPORTED]: 7,
      [`${EXPORTED} max_retry_age`]: 5,
      [`${EXPORTED} rejected`]: 6,
    })
  })

  it('are read on collection', async () => {
    let now = health({ ended: 2, pending: 2 })
    const { figures } = found(() => now)
    expect(await figures()).toEqual({ [QUEUE]: 2, [PROCESSED]: 0, [EXPORTED]: 0 })
    now = health({ ended: 3, sent: 2, dropped: { shutdown: 1 } })
    expect(await figures()).toEqual({ [QUEUE]: 0, [PROCESSED]: 2, [`${PROCESSED} shutdown`]: 1, [EXPORTED]: 2 })
  })

  it('equal health() for sent, dropped and pending spans', async () => {
    const { provider, figures } = meterProvider()
    metrics.setGlobalMeterProvider(provider)
    await using intake = await startIntake()
    const { processor, tracer } = tracing({
      ...KEYS,
      baseUrl: intake.url,
      flushInterval: 3_600,
      healthMetrics: true,
    })
    for (let at = 0; at < 3; at++) tracer().startSpan('sent').end()
    await processor.forceFlush()
    const span = tracer().startSpan('lost')
    Object.defineProperty(span, 'attributes', {
      get() {
        throw new Error('no attributes')
      },
    })
    span.end()
    tracer().startSpan('pending').end()
    const { ended, sent, pending, dropped } = processor.health()
    expectToAddUp(processor.health())
    expect({ ended, sent, pending }).toEqual({ ended: 5, sent: 3, pending: 1 })
    const lost = Object.entries(dropped).map(([reason, spans]) => [`${PROCESSED} ${reason}`, spans])
    const metered = await figures()
    expect(metered).toEqual({ [QUEUE]: pending, [PROCESSED]: sent, [EXPORTED]: sent, ...Object.fromEntries(lost) })
    const sum = Object.values(metered).reduce((all, spans) => all + spans, 0)
    expect(sum - (metered[EXPORTED] ?? 0)).toBe(ended)
    await processor.shutdown()
    expect(await figures()).toMatchObject({ [QUEUE]: 0, [PROCESSED]: 4, [EXPORTED]: 4 })
  })
})

describe('a meter provider', () => {
  it('receives nothing of us unasked', async () => {
    const { provider, collected } = meterProvider()
    metrics.setGlobalMeterProvider(provider)
    await using intake = await startIntake()
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url })
    tracer().startSpan('sent').end()
    await processor.forceFlush()
    expect(await collected()).toEqual([])
    await processor.shutdown()
  })

  it('may be registered after the processor', async () => {
    const selfMetrics = new SelfMetrics(() => health({ pending: 1 }))
    selfMetrics.look()
    const { provider, figures } = meterProvider()
    metrics.setGlobalMeterProvider(provider)
    expect(await figures()).toEqual({})
    selfMetrics.look()
    expect(await figures()).toMatchObject({ [QUEUE]: 1 })
  })

  it('receives every metric once, however often it is looked up', async () => {
    let reads = 0
    const { selfMetrics, figures } = found(() => {
      reads += 1
      return health({ sent: 2 })
    })
    for (let round = 0; round < 5; round++) selfMetrics.look()
    expect([await figures(), reads]).toEqual([{ [QUEUE]: 0, [PROCESSED]: 2, [EXPORTED]: 2 }, 1])
  })

  it('that is replaced receives nothing more', async () => {
    const first = found(() => health({ pending: 1 }))
    const second = meterProvider()
    metrics.disable()
    metrics.setGlobalMeterProvider(second.provider)
    first.selfMetrics.look()
    expect([await first.figures(), await second.figures()]).toEqual([{}, { [QUEUE]: 1, [PROCESSED]: 0, [EXPORTED]: 0 }])
  })
})
