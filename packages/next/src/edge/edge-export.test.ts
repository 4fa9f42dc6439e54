import { AsyncLocalStorage } from 'node:async_hooks'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ContextManager, context, type Span } from '@opentelemetry/api'
import { readSettings } from '@svc/core/setting'
import { exportSettings } from '@svc/core/settings'
import { isTracingSuppressed } from '@svc/core/suppress-tracing'
import type { Resource, SpanExporter, SvcSpanProcessorParams } from '@svc/otel/edge'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { edgeContextManager } from './edge-context.ts'
import type { EdgeSpan } from './edge-span.ts'
import { EdgeTracerProvider } from './edge-tracer.ts'
import { ExporterExport } from './exporter-export.ts'
import { FetchExport } from './fetch-export.ts'

let server: Server | undefined
let requests: number
let lines: string[]

beforeEach(() => {
  requests = 0
  lines = []
  for (const method of ['warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((line: string) => void lines.push(line))
  }
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  server?.close()
})

function settingsOf(params: SvcSpanProcessorParams) {
  const given = { publicKey: 'pk', secretKey: 'sk', ...params }
  return readSettings(
    exportSettings,
    given,
    () => undefined,
    () => {},
  )
}

/** Sends to a service that answers every request as `answer` says at the moment. */
async function fetchExport(answer: { status: number; headers?: Record<string, string> }, params = {}) {
  server = createServer((request, response) => {
    requests += 1
    request.resume().on('end', () => response.writeHead(answer.status, answer.headers).end('{}'))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server?.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return new FetchExport(settingsOf(params), { url, headers: {} }, {})
}

/** Hands spans to an exporter that calls `answer` for each export. */
function exporterExport(
  answer: Parameters<SpanExporter['export']>[1] extends infer Done ? (done: Done) => void : never,
  params = {},
) {
  const batches: number[] = []
  const exporter: SpanExporter = {
    export(spans, done) {
      batches.push(spans.length)
      answer(done)
    },
    async shutdown() {},
  }
  return { queue: new ExporterExport(exporter, settingsOf(params)), batches }
}

function add(queue: FetchExport | ExporterExport, spans: number, input = 'text') {
  const tracer = new EdgeTracerProvider({
    resource: { attributes: {} } as Resource,
    isMuted: () => false,
    onStart() {},
    onEnd(span: EdgeSpan) {
      queue.ledger.ended += 1
      queue.add(span)
    },
  }).getTracer('scope')
  for (let at = 0; at < spans; at += 1) {
    const span: Span = tracer.startSpan('work', { attributes: { input } })
    span.end()
  }
}

it('concurrent flushes on the edge share their attempts while the service is unavailable', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const queue = await fetchExport({ status: 503 }, { flushAt: 2 })
  let settled = 0
  for (let at = 0; at < 10; at += 1) {
    add(queue, 1)
    void queue.flush().then(() => {
      settled += 1
    })
  }
  await expect
    .poll(async () => {
      await vi.advanceTimersByTimeAsync(100)
      return settled
    })
    .toBe(10)
  expect(requests).toBe(3)
  expect(queue.health()).toMatchObject({ state: 'paused', ended: 10, sent: 0, pending: 10 })
})

it('what a host ends together with the request it was sent in is sent by a later flush of the edge', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  // As on Cloudflare Workers: nothing settles any more.
  const sent = vi.spyOn(globalThis, 'fetch').mockReturnValueOnce(new Promise(() => {}))
  const queue = await fetchExport({ status: 200 })
  add(queue, 1)
  for (const _ of [1, 2]) void queue.flush()
  await vi.waitFor(() => expect(sent).toHaveBeenCalledOnce(), 60_000)
  void queue.flush()
  add(queue, 1)
  vi.advanceTimersByTime(10_001)
  await queue.flush()
  expect(queue.health()).toMatchObject({ sent: 2, pending: 0 })
})

it('a service that refuses the keys is left alone for a minute by edge spans and flushes', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const answer = { status: 401 }
  const queue = await fetchExport(answer, { flushAt: 2 })
  add(queue, 1)
  await queue.flush()
  add(queue, 20)
  await Promise.all([queue.flush(), queue.flush()])
  await queue.flush()
  expect(requests).toBe(1)
  expect(queue.health()).toMatchObject({ state: 'refused', pending: 21 })
  answer.status = 200
  vi.advanceTimersByTime(60_000)
  await queue.flush()
  expect(queue.health()).toMatchObject({ state: 'ok', sent: 21, pending: 0, pendingBytes: 0 })
})

it('edge spans are not sent before the time that Retry-After names', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const answer = { status: 503, headers: { 'retry-after': '30' } }
  const queue = await fetchExport(answer)
  add(queue, 1)
  await queue.flush()
  answer.status = 200
  vi.advanceTimersByTime(20_000)
  await queue.flush()
  expect(requests).toBe(1)
  vi.advanceTimersByTime(10_000)
  await queue.flush()
  expect(queue.health()).toMatchObject({ sent: 1, pending: 0 })
})

it('edge spans that wait for the service are sent when the pause is over, without a flush', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const answer = { status: 401 }
  const queue = await fetchExport(answer)
  add(queue, 1)
  await queue.flush()
  answer.status = 200
  vi.advanceTimersByTime(60_000)
  await expect.poll(() => queue.health().sent).toBe(1)
})

it('a service that answers 415 receives no endless retries from the edge', async () => {
  const queue = await fetchExport({ status: 415 })
  add(queue, 1)
  await queue.flush()
  expect(requests).toBe(1)
  expect(queue.health()).toMatchObject({ state: 'refused', pending: 1 })
})

it('a request of edge spans has at most a megabyte, in whatever script they are written', async () => {
  const queue = await fetchExport({ status: 200 })
  add(queue, 3, 'я'.repeat(300_000))
  expect(queue.health().pendingBytes).toBeGreaterThan(1_800_000)
  await queue.flush()
  expect([requests, queue.health().sent]).toEqual([3, 3])
})

it('a batch that was rejected once does not make the requests of later edge spans smaller', async () => {
  const queue = await fetchExport({
    get status() {
      return requests === 1 ? 400 : 200
    },
  })
  add(queue, 2)
  await queue.flush()
  expect(requests).toBe(3)
  add(queue, 10)
  await queue.flush()
  expect([requests, queue.health().sent]).toEqual([4, 12])
})

it('spans that end during an edge flush are sent by the next, which those who wait for them share', async () => {
  const done: (() => void)[] = []
  const { queue, batches } = exporterExport((answer) => done.push(() => answer({ code: 0 })))
  add(queue, 1)
  const first = queue.flush()
  await Promise.resolve()
  add(queue, 2)
  const [second, third] = [queue.flush(), queue.flush()]
  expect(third).toBe(second)
  done.shift()?.()
  await first
  expect(batches).toEqual([1, 2])
  done.shift()?.()
  await second
  expect(queue.health()).toMatchObject({ sent: 3, pending: 0 })
})

it('a custom exporter on the edge receives full batches at once, and the rest after the interval', async () => {
  vi.useFakeTimers()
  const { queue, batches } = exporterExport((done) => done({ code: 0 }), { flushAt: 2, flushInterval: 5 })
  add(queue, 5)
  await vi.advanceTimersByTimeAsync(0)
  expect(batches).toEqual([2, 2, 1])
  add(queue, 1)
  await vi.advanceTimersByTimeAsync(4_999)
  expect(batches).toHaveLength(3)
  await vi.advanceTimersByTimeAsync(1)
  expect(batches).toEqual([2, 2, 1, 1])
  expect(queue.health()).toMatchObject({ ended: 6, sent: 6, pending: 0, pendingBytes: 0 })
})

it('edge spans beyond the queue limit are dropped while a custom exporter does not answer', async () => {
  const { queue } = exporterExport(() => {}, { flushAt: 1, maxQueueBytes: 20_000 })
  add(queue, 10, 'x'.repeat(5_000))
  expect(queue.health()).toMatchObject({ ended: 10, pending: 3, dropped: { queue_full: 7 } })
  expect(lines.join()).toContain(
    'The export queue is full (20000 bytes, SVC_OTEL_MAX_QUEUE_BYTES): spans end faster than',
  )
})

it('edge spans whose exporter does not answer in time count as lost', async () => {
  vi.useFakeTimers()
  const { queue, batches } = exporterExport(() => {}, { timeout: 5, flushAt: 2 })
  add(queue, 1)
  const flushed = queue.flush()
  await vi.advanceTimersByTimeAsync(5_000)
  await flushed
  expect(batches).toEqual([1])
  expect(queue.health()).toMatchObject({ ended: 1, sent: 0, pending: 0, dropped: { export_failed: 1 } })
  expect(queue.health().lastFailure?.reason).toBe('no answer within 5 s')
  expect(lines.join()).toContain('The exporter failed: no answer within 5 s.')
})

it('edge spans are sent with the fetch of the start, not with what Next puts in its place', async () => {
  const queue = await fetchExport({ status: 200 })
  const later = vi.spyOn(globalThis, 'fetch')
  add(queue, 1)
  await queue.flush()
  expect([later.mock.calls.length, queue.health().sent]).toEqual([0, 1])
})

it('a request of edge spans has no spans of its own', async () => {
  const suppressed: boolean[] = []
  context.setGlobalContextManager(edgeContextManager(AsyncLocalStorage) as ContextManager)
  onTestFinished(() => context.disable())
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    suppressed.push(isTracingSuppressed(context.active()))
    return new Response('{}')
  })
  const queue = await fetchExport({ status: 200 })
  add(queue, 1)
  await queue.flush()
  expect(suppressed).toEqual([true])
})

it('edge spans are never counted more often than they ended', async () => {
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('{"partialSuccess":{"rejectedSpans":5}}'))
  const queue = await fetchExport({ status: 200 })
  add(queue, 2)
  await queue.flush()
  expect(queue.health()).toMatchObject({ ended: 2, sent: 0, dropped: { rejected: 2 } })
})
