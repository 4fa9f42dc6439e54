import { AsyncLocalStorage } from 'node:async_hooks'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { context, ROOT_CONTEXT, type Tracer, trace } from '@opentelemetry/api'
import { API_SLOT } from '@svc/core/api-global'
import { environmentOf } from '@svc/core/environment'
import type { SvcHealth } from '@svc/core/health'
import { resetGlobalLogger } from '@svc/core/log'
import { getRuntime, type Runtime } from '@svc/core/registry'
import * as SLOTS from '@svc/core/slots'
import { isTracingSuppressed } from '@svc/core/suppress-tracing'
import type { CallerTrust } from '@svc/core/trust'
import type { MaskFunction, SpanExporter, SvcSpanProcessorParams } from '@svc/otel/edge'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { startOnEdge } from './edge-pipeline.ts'

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly names: readonly string[]
  readonly text: string
}

/** What the service answers, request by request, by the names of the spans in it; 200 with `{}` after the last. */
type Answer = (received: Received) => readonly [status: number, body?: string]

let server: Server
let url: string
let received: Received[]
let answers: Answer[]
let lines: string[]

beforeEach(async () => {
  received = []
  answers = []
  lines = []
  resetGlobalLogger()
  vi.stubGlobal('AsyncLocalStorage', AsyncLocalStorage)
  for (const method of ['warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((line: string) => void lines.push(line))
  }
  server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const text = Buffer.concat(parts).toString()
    const names = spansIn(text).map(({ name }) => name)
    received.push({ headers: request.headers, names, text })
    const [status, body = '{}'] = answers.shift()?.(received.at(-1) as Received) ?? [200]
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  for (const slot of [Symbol.for(SLOTS.RUNTIME), API_SLOT]) Reflect.deleteProperty(globalThis, slot)
  server.closeAllConnections()
  server.close()
})

const NOBODY: CallerTrust = { trustTraceparent: undefined, trustBaggage: undefined }

/** The pipeline that `registerSvc` starts, anew. */
function pipeline(params: SvcSpanProcessorParams = {}) {
  for (const slot of [Symbol.for(SLOTS.RUNTIME), API_SLOT]) Reflect.deleteProperty(globalThis, slot)
  const options = { publicKey: 'pk', secretKey: 'sk', baseUrl: url, flushInterval: 600, serviceName: 'shop' }
  expect(startOnEdge({ ...options, env: environmentOf({}), ...params }, NOBODY)).toBe(true)
  const processor = getRuntime() as Required<Runtime>
  return {
    processor: processor as Omit<typeof processor, 'health'> & { health(): SvcHealth },
    tracer: trace.getTracer('svc-sdk'),
  }
}

interface SentSpan {
  readonly name: string
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[]
}

function spansIn(text: string): readonly SentSpan[] {
  const { resourceSpans } = JSON.parse(text) as {
    resourceSpans: readonly { scopeSpans: readonly { spans: readonly SentSpan[] }[] }[]
  }
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
}

function end(tracer: Tracer, ...names: string[]) {
  for (const name of names) tracer.startSpan(name, { attributes: { 'svc.observation.input': name } }).end()
}

/** What sends to an exporter is loaded with the first span, which no clock of a test hastens. */
async function loadExporting() {
  const { processor, tracer } = pipeline({ exporter: { export: (_, done) => done({ code: 0 }), async shutdown() {} } })
  end(tracer, 'first')
  await processor.forceFlush()
}

it('edge spans arrive with keys and resource, and are counted', async () => {
  const { processor, tracer } = pipeline({ environment: 'test' })
  const root = tracer.startSpan('root', {}, ROOT_CONTEXT)
  tracer.startSpan('child', {}, trace.setSpan(ROOT_CONTEXT, root)).end()
  root.end()
  await processor.forceFlush()
  const [request] = received
  expect(request?.headers).toMatchObject({
    authorization: `Basic ${btoa('pk:sk')}`,
    'content-type': 'application/json',
    'x-svc-ingestion-version': '4',
  })
  expect(request?.headers['content-encoding']).toBeUndefined()
  const [{ resource, scopeSpans }] = JSON.parse(request?.text ?? '').resourceSpans
  expect(resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'shop' } })
  const [child, top] = scopeSpans[0].spans
  expect([child.name, child.parentSpanId, top.parentSpanId]).toEqual(['child', top.spanId, undefined])
  expect(top.attributes).toContainEqual({ key: 'svc.environment', value: { stringValue: 'test' } })
  expect(processor.health()).toMatchObject({ state: 'ok', ended: 2, sent: 2, pending: 0, dropped: {} })
})

it('edge spans are retried if the service is unavailable, and counted once', async () => {
  const { processor, tracer } = pipeline()
  answers = [() => [503, 'busy']]
  end(tracer, 'a')
  await processor.forceFlush()
  expect(received.map(({ names }) => names)).toEqual([['a'], ['a']])
  expect(processor.health()).toMatchObject({ state: 'ok', ended: 1, sent: 1, pending: 0 })
})

it('refused edge spans wait for a later flush, with one line that has the reason', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const { processor, tracer } = pipeline()
  answers = [() => [401, 'no']]
  end(tracer, 'a')
  await processor.forceFlush()
  expect(processor.health()).toMatchObject({ state: 'refused', sent: 0, pending: 1 })
  expect(lines).toEqual([expect.stringMatching(/refuses the keys .*check SVC_PUBLIC_KEY.*Spans wait \(1\)/)])
  await processor.forceFlush()
  expect(received).toHaveLength(1)
  vi.advanceTimersByTime(70_000)
  await processor.forceFlush()
  expect(processor.health()).toMatchObject({ state: 'ok', sent: 1, pending: 0 })
})

it('an edge span that the service cannot read does not lose others', async () => {
  const { processor, tracer } = pipeline()
  const refuse: Answer = ({ names }) => (names.includes('bad') ? [400, 'bad span'] : [200])
  answers = Array.from({ length: 10 }, () => refuse)
  end(tracer, 'a', 'b', 'bad', 'c')
  await processor.forceFlush()
  expect(processor.health()).toMatchObject({ ended: 4, sent: 3, pending: 0, dropped: { rejected: 1 } })
})

it('partially accepted edge spans are counted as the service reports', async () => {
  const { processor, tracer } = pipeline()
  answers = [() => [200, '{"partialSuccess":{"rejectedSpans":1,"errorMessage":"one is too old"}}']]
  end(tracer, 'a', 'b')
  await processor.forceFlush()
  expect(processor.health()).toMatchObject({ sent: 1, dropped: { rejected: 1 } })
  expect(lines.join()).toMatch(/rejected spans: one is too old/)
})

it('an HTML page in place of the service counts as no success', async () => {
  const { processor, tracer } = pipeline({ timeout: 0.1 })
  answers = [() => [200, '<html>log in</html>']]
  end(tracer, 'a')
  await processor.forceFlush()
  expect(processor.health()).toMatchObject({ state: 'paused', sent: 0, pending: 1 })
})

it('edge spans beyond the queue limit are dropped and counted', async () => {
  const { processor, tracer } = pipeline({ maxQueueBytes: 1_500 })
  end(tracer, 'a', 'b', 'c', 'd', 'e')
  const { pending, dropped } = processor.health()
  expect(pending + (dropped.queue_full ?? 0)).toBe(5)
  expect(dropped.queue_full).toBeGreaterThan(0)
})

it('edge requests are not compressed, also with compression: gzip', async () => {
  const { processor, tracer } = pipeline({ compression: 'gzip' })
  end(tracer, 'a')
  await processor.forceFlush()
  expect(received.map(({ headers, names }) => [headers['content-encoding'], names])).toEqual([[undefined, ['a']]])
})

it('a full batch of edge spans is sent without a flush', async () => {
  const { tracer } = pipeline({ flushAt: 2 })
  end(tracer, 'a', 'b')
  await expect.poll(() => received.map(({ names }) => names)).toEqual([['a', 'b']])
})

it('masks are applied on the edge, also asynchronous and failing ones', async () => {
  const late = pipeline({ mask: async ({ data }) => `${data} masked` })
  end(late.tracer, 'a')
  expect(late.processor.health().pending).toBe(1)
  await late.processor.forceFlush()
  expect(received[0]?.text).toContain('a masked')
  const failing = pipeline({
    mask: () => {
      throw new Error('no')
    },
  })
  end(failing.tracer, 'secret')
  await failing.processor.forceFlush()
  expect(received[1]?.text).toContain('fully masked due to failed mask function')
})

it('what redact names is hidden on the edge, before a mask sees it', async () => {
  const { processor, tracer } = pipeline({ redact: ['email'], mask: ({ data }) => `${data} masked` })
  end(tracer, 'ada@example.com')
  await processor.forceFlush()
  expect(received[0]?.text).toMatch(/\[email:[\da-f]{4}\] masked/)
  expect(received[0]?.text).not.toContain('ada@example.com')
})

it.each([
  ['email', {}, {}, 'with [email:#] and 192.168.1.20'],
  ['email', { redact: ['ip'] }, {}, 'with ada@example.com and [ip:#]'],
  ['email', { redact: ['none'] }, {}, 'with ada@example.com and 192.168.1.20'],
  ['email', {}, { redact: ['ip'] }, 'with [email:#] and [ip:#]'],
  ['email', {}, { redact: ['none'] }, 'with [email:#] and 192.168.1.20'],
] as const)(
  'redaction by the variable %s, the option %j and a later one %j is as on a server',
  async (variable, option, later, text) => {
    const env = environmentOf({ SVC_REDACT: variable })
    const { processor, tracer } = pipeline({ env, ...option })
    ;(processor as unknown as Required<Runtime>).attach(later)
    end(tracer, 'with ada@example.com and 192.168.1.20')
    await processor.forceFlush()
    expect(received[0]?.text.replace(/(?<=:)[\da-f]{4}(?=\])/g, '#')).toContain(text)
  },
)

it('keep does not work on the edge, which one line says', async () => {
  const { processor, tracer } = pipeline({ keep: ['errors'] })
  end(tracer, 'fine')
  await processor.forceFlush()
  expect(received).toHaveLength(1)
  expect(lines).toEqual([expect.stringContaining('SVC_KEEP does not work in edge functions, so every trace is kept.')])
})

it('media are removed from edge spans, unless their upload is switched off', async () => {
  const image = `data:image/png;base64,${'A'.repeat(2_000)}`
  for (const mediaUploadEnabled of [true, false]) {
    const { processor, tracer } = pipeline({ mediaUploadEnabled })
    tracer.startSpan('a', { attributes: { 'svc.observation.input': JSON.stringify({ image }), other: image } }).end()
    await processor.forceFlush()
  }
  expect(received.map(({ text }) => text.split('AAAA').length > 1)).toEqual([true, true])
  expect(received.map(({ text }) => text.includes('data:image/png;base64,[media of 2000 characters]'))).toEqual([
    true,
    false,
  ])
})

it('masks on the edge get content with its media, and what they return is sent without', async () => {
  const masked = JSON.stringify('B'.repeat(2_000))
  const seen: unknown[] = []
  const mask: MaskFunction = ({ data }) => {
    seen.push(data)
    return masked
  }
  const { processor, tracer } = pipeline({ mask })
  const content = JSON.stringify('A'.repeat(2_000))
  end(tracer, content)
  await processor.forceFlush()
  expect(seen).toEqual([content])
  expect(received[0]?.text).toContain('[media of 2000 characters]')
})

it('messages of the GenAI conventions are sent from the edge as the service reads them, those of the AI SDK 6 as they are', async () => {
  const { processor, tracer } = pipeline()
  const parts = (content: string) => [{ type: 'text', content }]
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: parts('What?') }]),
    'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: parts('So.') }]),
  }
  const root = tracer.startSpan('root', {}, ROOT_CONTEXT)
  tracer.startSpan('chat', { attributes }, trace.setSpan(ROOT_CONTEXT, root)).end()
  root.end()
  const sent = { 'ai.operationId': 'ai.generateText.doGenerate', 'ai.response.text': 'So.' }
  trace.getTracer('ai').startSpan('ai.generateText.doGenerate', { attributes: sent }, ROOT_CONTEXT).end()
  await processor.forceFlush()
  const spans = received
    .flatMap(({ text }) => spansIn(text))
    .map((span) => Object.fromEntries(span.attributes.map(({ key, value }) => [key, value.stringValue])))
  expect(spans).toEqual([
    expect.objectContaining({ 'svc.observation.input': 'What?', 'svc.observation.output': 'So.' }),
    expect.objectContaining(sent),
    expect.objectContaining({
      'svc.observation.input': '{"messages":[{"role":"user","content":"What?"}]}',
      'svc.observation.output': '[{"role":"assistant","content":"So."}]',
    }),
  ])
  expect(spans[1]).not.toHaveProperty('svc.observation.output')
})

it('forceFlush() of the edge reaches a custom exporter after its spans, and its failure is logged', async () => {
  const calls: string[] = []
  const exporter: SpanExporter = {
    export(spans, done) {
      calls.push(`export ${spans.length}`)
      done({ code: 0 })
    },
    forceFlush: async () => {
      calls.push('forceFlush')
      throw new Error('broken')
    },
    async shutdown() {},
  }
  const { processor, tracer } = pipeline({ exporter })
  end(tracer, 'a', 'b')
  await processor.forceFlush()
  expect(calls).toEqual(['export 2', 'forceFlush'])
  expect(lines).toEqual([expect.stringMatching(/The exporter failed:/)])
})

it('forceFlush() of the edge takes 30 seconds at most, and what is left is sent later', async () => {
  await loadExporting()
  vi.useFakeTimers()
  const answers: (() => void)[] = []
  const exporter: SpanExporter = {
    export: (_, done) => void answers.push(() => done({ code: 0 })),
    async shutdown() {},
  }
  const { processor, tracer } = pipeline({ exporter })
  end(tracer, 'a')
  let isOver = false
  void processor.forceFlush().then(() => {
    isOver = true
  })
  await vi.advanceTimersByTimeAsync(29_999)
  expect([isOver, processor.health().sent]).toEqual([false, 0])
  end(tracer, 'b')
  await vi.advanceTimersByTimeAsync(1)
  expect(isOver).toBe(true)
  void processor.forceFlush()
  await vi.advanceTimersByTimeAsync(0)
  for (const answer of answers) answer()
  await vi.advanceTimersByTimeAsync(0)
  expect(processor.health()).toMatchObject({ ended: 2, sent: 1, pending: 0, dropped: { export_failed: 1 } })
})

it('what a host ends together with the request it was sent in is sent by a later flush of the edge', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  // As on Cloudflare Workers: nothing settles any more.
  const sent = vi.spyOn(globalThis, 'fetch').mockReturnValueOnce(new Promise(() => {}))
  const { processor, tracer } = pipeline()
  end(tracer, 'a')
  for (const _ of [1, 2]) void processor.forceFlush()
  await vi.waitFor(() => expect(sent).toHaveBeenCalledOnce(), 60_000)
  void processor.forceFlush()
  end(tracer, 'b')
  vi.advanceTimersByTime(10_001)
  await processor.forceFlush()
  expect(processor.health()).toMatchObject({ sent: 2, pending: 0 })
})

it('a flush of the edge does not wait for an exporter that a host ended with the request', async () => {
  await loadExporting()
  vi.useFakeTimers()
  let isFirst = true
  const exporter: SpanExporter = {
    export(_, done) {
      if (!isFirst) done({ code: 0 })
      isFirst = false
    },
    async shutdown() {},
  }
  const { processor, tracer } = pipeline({ exporter })
  end(tracer, 'a')
  void processor.forceFlush()
  await vi.advanceTimersByTimeAsync(0)
  vi.clearAllTimers()
  vi.advanceTimersByTime(30_001)
  end(tracer, 'b')
  await processor.forceFlush()
  expect(processor.health()).toMatchObject({ ended: 2, sent: 1, pending: 0, dropped: { export_failed: 1 } })
})

it('edge spans are sent with the fetch of the start, not with what Next puts in its place', async () => {
  const { processor, tracer } = pipeline()
  const later = vi.spyOn(globalThis, 'fetch')
  end(tracer, 'a')
  await processor.forceFlush()
  expect([later.mock.calls.length, processor.health().sent]).toEqual([0, 1])
})

it('a request of edge spans has no spans of its own', async () => {
  const suppressed: boolean[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    suppressed.push(isTracingSuppressed(context.active()))
    return Response.json({})
  })
  const { processor, tracer } = pipeline()
  end(tracer, 'a')
  await processor.forceFlush()
  expect(suppressed).toEqual([true])
})

it('a request of edge spans has at most a megabyte, in whatever script they are written', async () => {
  const { processor, tracer } = pipeline()
  for (let at = 0; at < 3; at += 1) end(tracer, 'я'.repeat(300_000))
  expect(processor.health().pendingBytes).toBeGreaterThan(1_800_000)
  await processor.forceFlush()
  expect([received.length, processor.health().sent]).toEqual([3, 3])
})

it('without keys no edge spans are masked or sent, with one warning', async () => {
  const mask = vi.fn()
  const { processor, tracer } = pipeline({ publicKey: undefined, mask })
  end(tracer, 'a')
  await processor.forceFlush()
  expect([received, mask.mock.calls]).toEqual([[], []])
  expect(processor.health().state).toBe('off')
  expect(lines).toEqual([expect.stringMatching(/no SVC_PUBLIC_KEY, so spans are recorded but not sent/)])
})

it('a custom exporter receives edge spans, and its failures are counted', async () => {
  const names: string[] = []
  let code = 0
  const exporter: SvcSpanProcessorParams['exporter'] = {
    export(spans, done) {
      names.push(...spans.map(({ name }) => name))
      done(code === 0 ? { code } : { code, error: new Error('full') })
    },
    async shutdown() {},
  }
  const { processor, tracer } = pipeline({ exporter })
  end(tracer, 'a')
  await processor.forceFlush()
  code = 1
  end(tracer, 'b')
  await processor.forceFlush()
  expect([names, received]).toEqual([['a', 'b'], []])
  expect(processor.health()).toMatchObject({ ended: 2, sent: 1, dropped: { export_failed: 1 } })
  expect(lines.join()).toMatch(/The exporter failed: full/)
})

it.each<readonly [string, (...[, done]: Parameters<SpanExporter['export']>) => unknown]>([
  ['rejects', () => Promise.reject(new Error('broken'))],
  ['reports nothing', (_, done) => done(undefined as never)],
])('edge spans are lost where a custom exporter %s, and no rejection is unhandled', async (_, answer) => {
  const rejections: unknown[] = []
  const onRejection = (reason: unknown) => void rejections.push(reason)
  process.on('unhandledRejection', onRejection)
  onTestFinished(() => void process.off('unhandledRejection', onRejection))
  const exporter = { export: answer as SpanExporter['export'], async shutdown() {} }
  const { processor, tracer } = pipeline({ exporter, timeout: 1 })
  end(tracer, 'a')
  await processor.forceFlush()
  await new Promise((resolve) => setImmediate(resolve))
  expect(rejections).toEqual([])
  expect(processor.health()).toMatchObject({ ended: 1, sent: 0, pending: 0, dropped: { export_failed: 1 } })
})

it('edge spans are kept where shouldExportSpan rejects, and no rejection is unhandled', async () => {
  const rejections: unknown[] = []
  const onRejection = (reason: unknown) => void rejections.push(reason)
  process.on('unhandledRejection', onRejection)
  onTestFinished(() => void process.off('unhandledRejection', onRejection))
  const shouldExportSpan = (async () => Promise.reject(new Error('broken'))) as never
  const { processor, tracer } = pipeline({ shouldExportSpan })
  end(tracer, 'a')
  await processor.forceFlush()
  expect([rejections, received.length]).toEqual([[], 1])
})

it('an invalid exporter is reported, and no edge spans are sent elsewhere', async () => {
  const { processor, tracer } = pipeline({ exporter: {} as never })
  end(tracer, 'a')
  await processor.forceFlush()
  expect(received).toEqual([])
  expect(lines).toEqual([expect.stringMatching(/option exporter is not usable, so nothing is sent/)])
})
