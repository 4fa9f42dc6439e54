import http from 'node:http'
import { context } from '@opentelemetry/api'
import { isTracingSuppressed } from '@opentelemetry/core'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import { describe, expect, it, vi } from 'vitest'
import { catchLog } from '../../test/support/console.ts'
import { ok, type Reply, startIntake } from '../../test/support/intake.ts'
import { startRawServer } from '../../test/support/raw-server.ts'
import { KEYS, tracing, withContextManager } from '../../test/support/tracing.ts'
import type { SvcSpanProcessorParams } from '../params.ts'

withContextManager()
const log = catchLog()

/** Ends `count` spans towards a service that replies like this, and flushes. */
async function run(reply: Reply, params: SvcSpanProcessorParams = {}, count = 1) {
  await using intake = await startIntake(reply)
  const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url, ...params })
  for (let at = 0; at < count; at++) tracer().startSpan(`s${at}`).end()
  await processor.shutdown()
  return { host: new URL(intake.url).host, requests: intake.requests, spans: intake.spans }
}

describe('the way to the service', () => {
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

  it('is uncompressed when asked', async () => {
    const { requests, spans } = await run(ok, { compression: 'none' })
    expect(requests[0]?.headers).not.toHaveProperty('content-encoding')
    expect(spans).toHaveLength(1)
  })

  it('sends one spelling of a header that was replaced', async () => {
    const { requests } = await run(ok, { additionalHeaders: { 'X-SVC-Ingestion-Version': '3' } })
    const names = requests[0]?.rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase())
    expect(names?.filter((name) => name === 'x-svc-ingestion-version')).toHaveLength(1)
    expect(requests[0]?.headers['x-svc-ingestion-version']).toBe('3')
  })

  it('takes a base URL with a path and trailing slashes', async () => {
    await using intake = await startIntake()
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: `${intake.url}/behind/a/proxy//` })
    tracer().startSpan('s').end()
    await processor.shutdown()
    expect(intake.requests[0]?.path).toBe('/behind/a/proxy/api/public/otel/v1/traces')
  })

  it('makes batches of flushAt spans', async () => {
    const { requests, spans } = await run(ok, { flushAt: 10 }, 25)
    expect(requests.map((request) => request.spans.length).sort()).toEqual([10, 10, 5])
    expect(new Set(spans.map(({ name }) => name)).size).toBe(25)
  })

  it('is fetch without compression on an edge runtime', async () => {
    vi.stubGlobal('EdgeRuntime', 'edge-runtime')
    const { requests, spans } = await run(ok)
    vi.unstubAllGlobals()
    expect(spans).toHaveLength(1)
    expect(requests[0]?.headers).toMatchObject({ 'user-agent': 'node', 'x-svc-ingestion-version': '4' })
    expect(requests[0]?.headers).not.toHaveProperty('content-encoding')
  })

  it('is not traced itself', async () => {
    const suppressed: boolean[] = []
    const request = vi.spyOn(http, 'request').mockImplementation((...given) => {
      suppressed.push(isTracingSuppressed(context.active()))
      request.mockRestore()
      return Reflect.apply(http.request, http, given)
    })
    await run(ok)
    expect(suppressed).toEqual([true])
  })

  it('waits for resource attributes that are still being found out', async () => {
    await using intake = await startIntake()
    const host = new Promise<string>((resolve) => setImmediate(() => resolve('h1')))
    const resource = defaultResource().merge(resourceFromAttributes({ 'host.name': host }))
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url }, { resource })
    tracer().startSpan('s').end()
    await processor.shutdown()
    expect(intake.spans[0]?.resource).toMatchObject({ 'host.name': 'h1' })
  })

  it('a flush waits for the batch in flight', async () => {
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

describe('a service in trouble', () => {
  it('503 with Retry-After is waited for, and the spans arrive', async () => {
    const { requests } = await run((response, arrived, index) => {
      if (index === 0) response.writeHead(503, { 'retry-after': '0' }).end()
      else ok(response, arrived, index)
    })
    expect(requests.map(({ spans }) => spans.length)).toEqual([1, 1])
    expect(log.lines()).toEqual([])
  })

  it('a Retry-After beyond the timeout loses the batch at once and says so', async () => {
    const { requests, host } = await run((response) => response.writeHead(503, { 'retry-after': '60' }).end())
    expect(requests).toHaveLength(1)
    expect(log.lines()).toEqual([
      expect.stringContaining(`${host} did not take a batch of spans: it answered 503. 1 span is lost.`),
    ])
  })

  it('401 is said once, with the host and without the secret', async () => {
    const { host } = await run(
      (response) => response.writeHead(401).end('{"message":"Invalid credentials"}'),
      { flushAt: 1 },
      5,
    )
    expect(log.lines()).toEqual([expect.stringContaining(`${host} refuses the keys (401`)])
    expect(log.lines()[0]).toContain('SVC_PUBLIC_KEY and SVC_SECRET_KEY')
    expect(log.lines('sk-test')).toEqual([])
  })

  it('413 names the variable that makes batches smaller', async () => {
    await run((response) => response.writeHead(413).end())
    expect(log.lines('SVC_FLUSH_AT')).toHaveLength(1)
  })

  it('a redirect is refused and named', async () => {
    const { requests } = await run((response) => response.writeHead(308, { location: 'https://new.example/' }).end())
    expect(requests).toHaveLength(1)
    expect(log.lines('redirects (308) to https://new.example/, which is not followed')).toHaveLength(1)
  })

  it('a hanging intake is given up after the timeout', async () => {
    await using server = await startRawServer(() => {})
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: server.url, timeout: 0.05 })
    tracer().startSpan('s').end()
    await processor.forceFlush()
    expect(log.lines('is too slow: no answer within 0.05 s (SVC_TIMEOUT). 1 span is lost.')).toHaveLength(1)
  })

  it('an intake that is not there costs one line, and later spans are tried again', async () => {
    const { processor, tracer } = tracing({ ...KEYS, baseUrl: 'http://127.0.0.1:1', timeout: 0.05, flushAt: 1 })
    for (let at = 0; at < 3; at++) tracer().startSpan('s').end()
    await processor.forceFlush()
    expect(log.lines('Cannot reach 127.0.0.1:1')).toHaveLength(1)
    await processor.shutdown()
    expect(log.lines('Cannot reach 127.0.0.1:1').map((line) => /(\d+) spans? (?:is|are) lost/.exec(line)?.[1])).toEqual(
      ['1', '2'],
    )
  })
})
