import { ROOT_CONTEXT } from '@opentelemetry/api'
import { AlwaysOffSampler, createAlwaysRecordSampler, type Span } from '@opentelemetry/sdk-trace'
import { withDeferredAttributes } from '@svc/core/context'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { catchLog } from '../test/support/console.ts'
import { expectToAddUp } from '../test/support/health.ts'
import { startIntake } from '../test/support/intake.ts'
import { exporting, KEYS, tracing } from '../test/support/tracing.ts'

const log = catchLog()

describe('a span that ends', () => {
  it('is sent before a flush resolves, if it passes the filter', async () => {
    await using intake = await startIntake()
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url })
    tracer('svc-sdk').startSpan('kept').end()
    tracer('my-tracer').startSpan('dropped').end()
    await processor.forceFlush()
    expect(intake.spans).toMatchObject([{ name: 'kept', scope: 'svc-sdk' }])
  })

  it('is filtered in immediate mode as well', async () => {
    await using intake = await startIntake()
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url, exportMode: 'immediate' })
    for (const name of ['a', 'b']) tracer('svc-sdk').startSpan(name).end()
    tracer('my-tracer').startSpan('dropped').end()
    await processor.forceFlush()
    expect(intake.spans.map(({ name }) => name).sort()).toEqual(['a', 'b'])
    expect(intake.requests).toHaveLength(2)
  })

  it('is sent without a flush in immediate mode', async () => {
    await using intake = await startIntake()
    const { tracer } = tracing({ ...KEYS, baseUrl: intake.url, exportMode: 'immediate' })
    tracer().startSpan('now').end()
    await intake.arrived(1)
    expect(intake.spans).toMatchObject([{ name: 'now' }])
  })

  it('reaches the queue synchronously if nothing has to be masked or extracted', () => {
    const delivered: string[] = []
    const { tracer } = exporting({ onDelivered: ({ name }) => delivered.push(name), mask: ({ data }) => data })
    tracer()
      .startSpan('s', { attributes: { 'svc.observation.input': 'plain' } })
      .end()
    expect(delivered).toEqual(['s'])
  })

  it('is not sent when it was recorded but not sampled', async () => {
    await using intake = await startIntake()
    const sampler = createAlwaysRecordSampler(new AlwaysOffSampler())
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url }, { sampler })
    tracer().startSpan('unsampled').end()
    await processor.shutdown()
    expect(intake.requests).toEqual([])
  })
})

describe('the shutdown of the processor', () => {
  it('sends pending spans, and afterwards stamps and sends nothing', async () => {
    await using intake = await startIntake()
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url, environment: 'test' })
    tracer().startSpan('before').end()
    await processor.shutdown()
    const late = tracer().startSpan('after') as Span
    late.end()
    await processor.forceFlush()
    await processor.shutdown()
    expect(late.attributes).toEqual({})
    expect(intake.spans.map(({ name }) => name)).toEqual(['before'])
  })

  it('sends other spans while a mask hangs', async () => {
    await using intake = await startIntake()
    const mask = () => new Promise<never>(() => {})
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url, mask, flushAt: 1, shutdownTimeout: 0.3 })
    tracer()
      .startSpan('masked', { attributes: { 'svc.observation.input': 'x' } })
      .end()
    tracer().startSpan('fine').end()
    await expect.poll(() => processor.health().sent).toBe(1)
    await processor.shutdown()
    expect(intake.spans.map(({ name }) => name)).toEqual(['fine'])
    expect(processor.health()).toMatchObject({ ended: 2, sent: 1, pending: 0, dropped: { shutdown: 1 } })
  })

  it('sends a span whose deferred attributes never resolve', async () => {
    await using intake = await startIntake()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url, shutdownTimeout: 120 })
    const deferred = { read: () => ({}), pending: () => new Promise<never>(() => {}) }
    tracer().startSpan('late', {}, withDeferredAttributes(ROOT_CONTEXT, deferred)).end()
    const ended = processor.shutdown()
    await vi.advanceTimersByTimeAsync(59_000)
    expect(intake.spans).toEqual([])
    // What comes late is waited for during half of the time.
    await vi.advanceTimersByTimeAsync(1_000)
    await ended
    expect(intake.spans.map(({ name }) => name)).toEqual(['late'])
  })

  it('reports why a span was refused that others overtook', async () => {
    await using intake = await startIntake((response, { spans }) => {
      const isPoison = spans.some(({ name }) => name === 'poison')
      response.writeHead(isPoison ? 400 : 200).end(isPoison ? 'bad span' : '{}')
    })
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url })
    tracer().startSpan('poison').end()
    await processor.forceFlush()
    tracer().startSpan('next').end()
    await processor.shutdown()
    expect(log.lines('it answered 400: bad span. 1 span is lost.')).toHaveLength(1)
    expectToAddUp(processor.health())
  })
})
