import http from 'node:http'
import { context } from '@opentelemetry/api'
import { isTracingSuppressed } from '@opentelemetry/core'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import { Ledger } from '@svc/core/delivery/ledger'
import { environmentOf } from '@svc/core/environment'
import { type HttpSender, NoResponseError } from '@svc/core/http-exchange'
import { readSettings } from '@svc/core/setting'
import { exportSettings } from '@svc/core/settings'
import { DIRECT } from '@svc/core/transport'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { plainSpan } from '../../test/support/batches.ts'
import { catchLog } from '../../test/support/console.ts'
import { expectToAddUp, reportedLosses } from '../../test/support/health.ts'
import { ok, type Reply, startIntake } from '../../test/support/intake.ts'
import { startRawServer } from '../../test/support/raw-server.ts'
import { responseOf, taken } from '../../test/support/responses.ts'
import { KEYS, tracing, withContextManager } from '../../test/support/tracing.ts'
import type { SvcSpanProcessorParams } from '../params.ts'
import { EndpointExport } from './endpoint-export.ts'
import { SPANS } from './span-format.ts'

withContextManager()
const log = catchLog()

/** Ends `count` spans towards a service that replies like this, and shuts down. */
async function run(reply: Reply, params: SvcSpanProcessorParams = {}, count = 1) {
  await using intake = await startIntake(reply)
  const { processor, tracer } = tracing({ ...KEYS, baseUrl: intake.url, ...params })
  for (let at = 0; at < count; at++) tracer().startSpan(`s${at}`).end()
  await processor.shutdown()
  const health = processor.health()
  expectToAddUp(health)
  return { host: new URL(intake.url).host, requests: intake.requests, spans: intake.spans, health }
}

/** A way to `url` whose health is looked at after each flush. */
function sending(url: string, params: SvcSpanProcessorParams = {}) {
  const { processor, tracer } = tracing({ ...KEYS, baseUrl: url, ...params })
  const look = () => {
    expectToAddUp(processor.health())
    return processor.health()
  }
  const timed = async (work: Promise<void>) => {
    const started = performance.now()
    await work
    return { ...look(), ms: performance.now() - started }
  }
  return {
    end: (...names: readonly string[]) => {
      for (const name of names) tracer().startSpan(name).end()
      look()
    },
    flush: () => timed(processor.forceFlush()),
    shutdown: () => timed(processor.shutdown()),
    look,
  }
}

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
  it('delivers a burst of 100,000 in one tick', async () => {
    // Time enough for a machine that has other things to do.
    const { spans, health } = await run(ok, { timeout: 30, shutdownTimeout: 30 }, 100_000)
    expect(spans).toHaveLength(100_000)
    expect(health).toMatchObject({ ended: 100_000, sent: 100_000, pendingBytes: 0, dropped: {} })
    expect(log.lines()).toEqual([])
  })

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

describe('the export to a failing service:', () => {
  const failing = (times: number, status: number, headers: Record<string, string> = {}): Reply => {
    return (response, arrived, index) => {
      if (index < times) response.writeHead(status, headers).end()
      else ok(response, arrived, index)
    }
  }

  it('503 with Retry-After is waited for, and the spans arrive', async () => {
    const { requests, health } = await run(failing(1, 503, { 'retry-after': '0' }))
    expect(requests.map(({ spans }) => spans.length)).toEqual([1, 1])
    expect(health).toMatchObject({ ended: 1, sent: 1, dropped: {} })
    expect(log.lines()).toEqual([])
  })

  it.each([408, 429, 500, 502, 503, 504])('%d twice and then success loses nothing', async (status) => {
    await using intake = await startIntake(failing(2, status))
    const { end, flush } = sending(intake.url)
    end('a', 'b', 'c')
    expect(await flush()).toMatchObject({ state: 'ok', sent: 3, pending: 0, dropped: {}, pendingBytes: 0 })
    expect(intake.requests.map(({ spans }) => spans.length)).toEqual([3, 3, 3])
    expect(log.lines()).toEqual([])
  })

  it('429 is retried no earlier than Retry-After', async () => {
    const at: number[] = []
    await using intake = await startIntake((response, arrived, index) => {
      at.push(performance.now())
      failing(1, 429, { 'retry-after': '1' })(response, arrived, index)
    })
    const { end, flush } = sending(intake.url)
    end('a')
    expect(await flush()).toMatchObject({ sent: 1, pending: 0 })
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(999)
  })

  it('queued spans are sent once it is back, without a flush', async () => {
    await using intake = await startIntake(failing(2, 503))
    const { end, look } = sending(intake.url, { flushAt: 1 })
    end('a')
    await intake.arrived(1)
    end('b', 'c')
    await intake.arrived(5)
    await expect.poll(look).toMatchObject({ state: 'ok', sent: 3, pending: 0 })
    expect(intake.spans.slice(2).map(({ name }) => name)).toEqual(expect.arrayContaining(['a', 'b', 'c']))
  })

  it('a flush does not wait for a Retry-After beyond its deadline, and keeps the queue', async () => {
    await using intake = await startIntake(failing(1, 503, { 'retry-after': '60' }))
    const { end, flush } = sending(intake.url)
    end('a')
    const { ms, ...health } = await flush()
    expect(ms).toBeLessThan(2_000)
    expect(health).toMatchObject({ state: 'paused', sent: 0, pending: 1, dropped: {} })
    expect(intake.requests).toHaveLength(1)
    expect(log.lines()).toEqual([])
  })

  it('a shutdown does not wait for a Retry-After beyond its deadline, and reports the loss', async () => {
    const { requests, host, health } = await run(failing(9, 503, { 'retry-after': '60' }))
    expect(requests).toHaveLength(1)
    expect(health).toMatchObject({ pending: 0, dropped: { shutdown: 1 } })
    expect(log.lines()).toEqual([
      expect.stringContaining(`${host} did not accept a batch of spans: it answered 503. 1 span is lost.`),
    ])
  })

  it('401 keeps the spans, and a shutdown reports them in one line with the host and without the secret', async () => {
    await using intake = await startIntake((response) =>
      response.writeHead(401).end('{"message":"Invalid credentials"}'),
    )
    const { end, flush, shutdown } = sending(intake.url, { flushAt: 1 })
    end('a', 'b', 'c', 'd', 'e')
    expect(await flush()).toMatchObject({ state: 'refused', sent: 0, pending: 5, dropped: {} })
    expect(log.lines()).toEqual([])
    const { ms, ...health } = await shutdown()
    expect(ms).toBeLessThan(1_000)
    expect(health).toMatchObject({ pending: 0, pendingBytes: 0, dropped: { shutdown: 5 } })
    expect(log.lines()).toEqual([
      expect.stringMatching(
        /127\.0\.0\.1:\d+ refuses the keys \(401.*SVC_PUBLIC_KEY and SVC_SECRET_KEY.* 5 spans are lost\.$/,
      ),
    ])
    expect(log.lines('sk-test')).toEqual([])
  })

  it('413 reduces the request size, and all spans arrive', async () => {
    await using intake = await startIntake((response, arrived, index) => {
      if (arrived.spans.length > 20) response.writeHead(413).end()
      else ok(response, arrived, index)
    })
    const { end, flush } = sending(intake.url)
    end(...Array.from({ length: 100 }, (_, at) => `s${at}`))
    expect(await flush()).toMatchObject({ sent: 100, pending: 0, dropped: {} })
    expect(log.lines()).toEqual([])
  })

  it('400 for one span loses only that span', async () => {
    await using intake = await startIntake((response, arrived, index) => {
      if (arrived.spans.some(({ name }) => name === 'poison')) response.writeHead(400).end('bad span')
      else ok(response, arrived, index)
    })
    const { end, flush, shutdown, look } = sending(intake.url)
    end(...Array.from({ length: 100 }, (_, at) => (at === 33 ? 'poison' : `s${at}`)))
    // Nothing else is here that could tell whether it is the span.
    const { ms, ...health } = await flush()
    expect(ms).toBeLessThan(2_000)
    expect(health).toMatchObject({ sent: 99, pending: 1, dropped: {} })
    end('next')
    await flush()
    await expect.poll(look).toMatchObject({ sent: 100, pending: 0, dropped: { rejected: 1 } })
    expect(reportedLosses(log.lines('it answered 400: bad span.'))).toBe(1)
    await shutdown()
    expect(reportedLosses(log.lines())).toBe(1)
  })

  it('415 switches compression off', async () => {
    await using intake = await startIntake((response, arrived, index) => {
      if (arrived.headers['content-encoding'] === 'gzip') response.writeHead(415).end()
      else ok(response, arrived, index)
    })
    const { end, flush } = sending(intake.url)
    end('a')
    await flush()
    end('b')
    expect(await flush()).toMatchObject({ sent: 2, pending: 0, dropped: {} })
    expect(intake.requests.map(({ headers }) => headers['content-encoding'])).toEqual(['gzip', undefined, undefined])
  })

  it('rejected spans are counted and reported, and are not a success', async () => {
    const { health, host } = await run(
      (response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}'),
      {},
      5,
    )
    expect(health).toMatchObject({ ended: 5, sent: 3, dropped: { rejected: 2 } })
    expect(log.lines()).toEqual([expect.stringContaining(`${host} rejected spans: too old. 2 spans are lost.`)])
  })

  it('a 200 of an intermediary is not a success, and the spans arrive later', async () => {
    const portal: Reply = (response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>')
    await using intake = await startIntake((response, arrived, index) =>
      (index === 0 ? portal : ok)(response, arrived, index),
    )
    const { end, flush } = sending(intake.url)
    end('a')
    expect(await flush()).toMatchObject({ state: 'ok', sent: 1, pending: 0, dropped: {} })
    expect(intake.requests).toHaveLength(2)
    const { health } = await run(portal, { shutdownTimeout: 0.1 })
    expect(health).toMatchObject({ sent: 0, dropped: { shutdown: 1 }, lastSuccess: undefined })
    expect(log.lines()).toEqual([
      expect.stringMatching(
        /answers 200, but not as the OTLP endpoint does: <html>Sign in<\/html>.* 1 span is lost\.$/,
      ),
    ])
  })

  it('a redirect is refused and named', async () => {
    const { requests } = await run((response) => response.writeHead(308, { location: 'https://new.example/' }).end())
    expect(requests).toHaveLength(1)
    expect(log.lines('redirects (308) to https://new.example/, which is not followed')).toHaveLength(1)
  })

  it('a flush to a hanging service ends, and keeps the queue', async () => {
    await using server = await startRawServer(() => {})
    const { end, flush } = sending(server.url, { timeout: 0.05 })
    end('a', 'b')
    const { ms, ...health } = await flush()
    expect(ms).toBeLessThan(2_000)
    expect(health).toMatchObject({ sent: 0, pending: 2, dropped: {} })
    expect(log.lines()).toEqual([])
    // Nobody waits once more for one that does not answer.
    await flush()
    expect((await flush()).ms).toBeLessThan(500)
  })

  it('a shutdown with a hanging service ends within its timeout, and reports the loss', async () => {
    await using server = await startRawServer(() => {})
    const { end, shutdown } = sending(server.url, { shutdownTimeout: 0.3 })
    end('a', 'b')
    const { ms, ...health } = await shutdown()
    expect(ms).toBeGreaterThan(250)
    expect(ms).toBeLessThan(1_500)
    expect(health).toMatchObject({ sent: 0, pending: 0, pendingBytes: 0, dropped: { shutdown: 2 } })
    expect(log.lines()).toEqual([
      expect.stringContaining(
        `${server.url} did not accept them within 0.3 s (SVC_SHUTDOWN_TIMEOUT). 2 spans are lost.`,
      ),
    ])
  })

  it('a service that hangs twice and then responds receives everything', async () => {
    let connections = 0
    await using server = await startRawServer((socket) => {
      if (++connections > 2) socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
    })
    const { end, look } = sending(server.url, { timeout: 0.1, flushAt: 1 })
    end('a')
    await expect.poll(look, { timeout: 10_000 }).toMatchObject({ state: 'ok', sent: 1, pending: 0, dropped: {} })
    expect(connections).toBe(3)
  })

  it('an unreachable service loses nothing while it may come back, and logs one line at the end', async () => {
    const { end, flush, shutdown } = sending('http://127.0.0.1:1', { flushAt: 1 })
    end('a', 'b', 'c')
    expect((await flush()).pending).toBe(3)
    expect(log.lines()).toEqual([])
    const { ms, ...health } = await shutdown()
    expect(ms).toBeLessThan(1_000)
    expect(health).toMatchObject({ pending: 0, dropped: { shutdown: 3 } })
    expect(log.lines()).toEqual([
      expect.stringMatching(/Cannot reach 127\.0\.0\.1:1: connect ECONNREFUSED 127\.0\.0\.1:1\. 3 spans are lost\.$/),
    ])
  })

  it('spans beyond the maximum retry age are dropped with the reason', async () => {
    await using intake = await startIntake((response) => response.writeHead(503).end())
    const { end, look } = sending(intake.url, { flushAt: 1, maxRetryAge: 0.3 })
    end('a')
    await expect.poll(look, { timeout: 10_000 }).toMatchObject({ pending: 0, dropped: { max_retry_age: 1 } })
    expect(
      log.lines('it answered 503. Spans are retried for 0.3 s (SVC_OTEL_MAX_RETRY_AGE). 1 span is lost.'),
    ).toHaveLength(1)
  })
})

/** The way to an endpoint that does as it is told, behind fake timers. */
function exportTo(send: HttpSender['send'], isMainThread = true) {
  vi.useFakeTimers()
  const queue = new EndpointExport({
    settings: readSettings(exportSettings, { baseUrl: 'http://host:1' }, environmentOf({}), () => {}),
    mode: 'batched',
    target: { url: 'http://host:1/traces', headers: {} },
    transport: DIRECT,
    compression: 'none',
    ledger: new Ledger(SPANS),
    isMainThread,
    sender: { send, close() {} },
  })
  let flushes = 0
  return {
    queue,
    /** How many flushes have ended. */
    flushes: () => flushes,
    flush: () =>
      void queue.flush({ idleMs: 5_000, totalMs: 30_000 }).then(() => {
        flushes++
      }),
  }
}

describe('a flush of the export', () => {
  afterEach(() => void vi.useRealTimers())

  it('does not wait for a backoff pause', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    let requests = 0
    const { queue, flush, flushes } = exportTo(async () => responseOf(++requests < 4 ? 503 : 200))
    queue.add(plainSpan('s'))
    // The next one would be a second later.
    await vi.advanceTimersByTimeAsync(5_000 + 250 + 500)
    expect(requests).toBe(3)
    flush()
    await vi.advanceTimersByTimeAsync(0)
    expect([requests, flushes(), queue.pending]).toEqual([4, 1, 0])
  })

  it('waits for an unresponsive endpoint once, until it responds again', async () => {
    let requests = 0
    const { queue, flush, flushes } = exportTo(
      () =>
        new Promise((resolve, reject) => {
          const answer = () => (requests > 1 ? resolve(responseOf(200)) : reject(new NoResponseError(5_000)))
          requests++
          setTimeout(answer, 5_000)
        }),
    )
    queue.add(plainSpan('s'))
    flush()
    await vi.advanceTimersByTimeAsync(4_999)
    expect(flushes()).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(flushes()).toBe(1)
    flush()
    await vi.advanceTimersByTimeAsync(0)
    expect([flushes(), queue.pending]).toEqual([2, 1])
    await vi.advanceTimersByTimeAsync(10_000)
    expect([requests, queue.pending]).toEqual([2, 0])
  })

  it('continues while spans are delivered, up to its total limit', async () => {
    const { queue, flush, flushes } = exportTo(() => new Promise((resolve) => setTimeout(resolve, 4_000, taken)))
    for (let at = 0; at < 512 * 30; at++) queue.add(plainSpan('s'))
    flush()
    await vi.advanceTimersByTimeAsync(29_999)
    expect([flushes(), queue.pending]).toEqual([0, 2 * 512])
    await vi.advanceTimersByTimeAsync(1)
    expect(flushes()).toBe(1)
  })

  it('does not wait for spans that end after its start', async () => {
    let requests = 0
    const { queue, flush, flushes } = exportTo(async () => {
      requests++
      return requests === 1 ? taken : new Promise<never>(() => {})
    })
    queue.add(plainSpan('before'))
    flush()
    queue.add(plainSpan('after'))
    await vi.advanceTimersByTimeAsync(0)
    expect([flushes(), queue.pending]).toEqual([1, 1])
  })
})

it('a batch that is handed to the last hop is not also sent by the event loop', () => {
  let requests = 0
  const { queue } = exportTo(async () => {
    requests++
    return taken
  })
  queue.add(plainSpan('s'))
  queue.outbox()
  expect([requests, queue.pending]).toEqual([0, 1])
  vi.useRealTimers()
})

describe('the export in a worker thread', () => {
  afterEach(() => void vi.useRealTimers())

  it.each([
    [true, 5_000],
    [false, 400],
  ])(
    'delays spans by at most half a second, 100 ms of it before encoding: main thread %s, %d ms',
    (isMainThread, ms) => {
      let requests = 0
      const send = async () => {
        requests++
        return taken
      }
      exportTo(send, isMainThread).queue.add(plainSpan('s'))
      // A quarter of it is jitter.
      vi.advanceTimersByTime(ms * 0.75 - 1)
      expect(requests).toBe(0)
      vi.advanceTimersByTime(ms * 0.25 + 1)
      expect(requests).toBe(1)
    },
  )
})
