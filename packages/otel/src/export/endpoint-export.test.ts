import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import http from 'node:http'
import { context } from '@opentelemetry/api'
import { isTracingSuppressed } from '@opentelemetry/core'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import { describe, expect, it, vi } from 'vitest'
import { catchLog } from '../../test/support/console.ts'
import { run, sending } from '../../test/support/endpoint.ts'
import { expectToAddUp, reportedLosses } from '../../test/support/health.ts'
import { ok, startIntake } from '../../test/support/intake.ts'
import { KEYS, tracing, withContextManager } from '../../test/support/tracing.ts'

withContextManager()
const log = catchLog()

describe('the export to the service', () => {
  it('is one gzip request of protobuf with Basic auth to the traces path', async () => {
    const { requests } = await run(ok)
    expect(requests).toHaveLength(1)
    expect(requests[0]).toMatchObject({ method: 'POST', path: '/api/public/otel/v1/traces' })
    expect(requests[0]?.headers).toMatchObject({
      authorization: `Basic ${btoa('pk-test:sk-test')}`,
      'content-type': 'application/x-protobuf',
      'content-encoding': 'gzip',
      'x-svc-ingestion-version': '4',
      'x-svc-public-key': 'pk-test',
    })
  })

  it('is uncompressed with compression: none', async () => {
    const { requests, spans } = await run(ok, { compression: 'none' })
    expect(requests[0]?.headers).not.toHaveProperty('content-encoding')
    expect(spans).toHaveLength(1)
  })

  it('sends a replaced header once, in one case', async () => {
    const { requests } = await run(ok, { additionalHeaders: { 'X-SVC-Ingestion-Version': '3' } })
    const names = requests[0]?.rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase())
    expect(names?.filter((name) => name === 'x-svc-ingestion-version')).toHaveLength(1)
    expect(requests[0]?.headers['x-svc-ingestion-version']).toBe('3')
  })

  it('accepts a base URL with a path and trailing slashes', async () => {
    await using intake = await startIntake()
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: `${intake.url}/behind/a/proxy//` })
    tracer().startSpan('s').end()
    await processor.shutdown()
    expect(intake.requests[0]?.path).toBe('/behind/a/proxy/api/public/otel/v1/traces')
  })

  it('sends batches of flushAt spans', async () => {
    const { requests, spans } = await run(ok, { flushAt: 10 }, 25)
    expect(requests.map((request) => request.spans.length).sort()).toEqual([10, 10, 5])
    expect(new Set(spans.map(({ name }) => name)).size).toBe(25)
  })

  it('uses fetch without compression on an edge runtime', async () => {
    vi.stubGlobal('EdgeRuntime', 'edge-runtime')
    const { requests, spans } = await run(ok)
    vi.unstubAllGlobals()
    expect(spans).toHaveLength(1)
    expect(requests[0]?.headers).toMatchObject({ 'user-agent': 'node', 'x-svc-ingestion-version': '4' })
    expect(requests[0]?.headers).not.toHaveProperty('content-encoding')
  })

  it('is not traced itself, and no request of the application to what replaces functions of Node', async () => {
    const suppressed: boolean[] = []
    const note = () => void suppressed.push(isTracingSuppressed(context.active()))
    const request = vi.spyOn(http, 'request')
    subscribe('http.client.request.created', note)
    await run(ok)
    unsubscribe('http.client.request.created', note)
    expect({ suppressed, replaced: request.mock.calls }).toEqual({ suppressed: [true], replaced: [] })
    request.mockRestore()
  })

  it('waits for asynchronous resource attributes', async () => {
    await using intake = await startIntake()
    const host = new Promise<string>((resolve) => setImmediate(() => resolve('h1')))
    const resource = defaultResource().merge(resourceFromAttributes({ 'host.name': host }))
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url }, { resource })
    tracer().startSpan('s').end()
    await processor.shutdown()
    expect(intake.spans[0]?.resource).toMatchObject({ 'host.name': 'h1' })
  })

  it('completes a batch in flight on flush', async () => {
    let answer = () => {}
    await using intake = await startIntake((response) => {
      answer = () => response.writeHead(200).end()
    })
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url, flushAt: 1 })
    tracer().startSpan('s').end()
    await intake.arrived(1)
    let flushed = false
    const flush = processor.forceFlush().then(() => {
      flushed = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(flushed).toBe(false)
    answer()
    await flush
  })
})

describe('the export of many spans', () => {
  it('beyond the queue limit counts them and reports all of them as lost', async () => {
    const { spans, health } = await run(ok, { maxQueueBytes: 20_000 }, 1_000)
    const { queue_full: lost = 0 } = health.dropped
    expect(lost).toBeGreaterThan(500)
    expect(spans).toHaveLength(1_000 - lost)
    // The first ones are kept.
    expect(spans.map(({ name }) => name)).toContain('s0')
    expect(reportedLosses(log.lines('The export queue is full (20000 bytes, SVC_OTEL_MAX_QUEUE_BYTES)'))).toBe(lost)
  })

  it('beyond the queue limit does not prevent later ones', async () => {
    await using intake = await startIntake()
    const { end, flush, shutdown } = sending(intake.url, { maxQueueBytes: 20_000 })
    end(...Array.from({ length: 1_000 }, (_, at) => `s${at}`))
    await flush()
    end('later')
    await shutdown()
    expect(intake.spans.at(-1)).toMatchObject({ name: 'later' })
  })

  it('sends a span above the queue limit if the queue is empty', async () => {
    await using intake = await startIntake()
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url, maxQueueBytes: 20_000 })
    tracer()
      .startSpan('large', { attributes: { text: 'x'.repeat(100_000) } })
      .end()
    await processor.shutdown()
    expect(intake.spans).toMatchObject([{ name: 'large' }])
    expectToAddUp(processor.health())
  })

  it('in immediate mode has up to thirty requests in flight', async () => {
    const held: (() => void)[] = []
    await using intake = await startIntake((response) => held.push(() => response.writeHead(200).end()))
    const { end, shutdown } = sending(intake.url, { exportMode: 'immediate' })
    end(...Array.from({ length: 40 }, (_, at) => `s${at}`))
    await intake.arrived(30)
    expect(held).toHaveLength(30)
    held.shift()?.()
    await intake.arrived(31)
    const done = shutdown()
    while (intake.spans.length < 40) {
      for (const answer of held.splice(0)) answer()
      await intake.arrived(intake.requests.length + 1)
    }
    for (const answer of held.splice(0)) answer()
    expect(await done).toMatchObject({ sent: 40, pending: 0 })
  })
})
