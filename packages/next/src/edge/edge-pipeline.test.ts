import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ROOT_CONTEXT, type Tracer, trace } from '@opentelemetry/api'
import { warnOnce } from '@svc/core/log'
import { readSettings } from '@svc/core/setting'
import { edgeExportSettings } from '@svc/core/settings'
import type { MaskFunction, Resource, SpanExporter, SvcSpanProcessorParams } from '@svc/otel/edge'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { EdgeProcessor } from './edge-processor.ts'
import { EdgeTracerProvider } from './edge-tracer.ts'

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
  for (const method of ['warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((line: string) => void lines.push(line))
  }
  server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const text = Buffer.concat(parts).toString()
    const { resourceSpans } = JSON.parse(text)
    const names = resourceSpans[0].scopeSpans.flatMap(({ spans }: { spans: { name: string }[] }) =>
      spans.map(({ name }) => name),
    )
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
  server.close()
})

function pipeline(params: SvcSpanProcessorParams = {}): { processor: EdgeProcessor; tracer: Tracer } {
  const resource = { attributes: { 'service.name': 'shop' } } as unknown as Resource
  const keys = { publicKey: 'pk', secretKey: 'sk', baseUrl: url, flushInterval: 600 }
  const options = { ...keys, ...params }
  const settings = readSettings(edgeExportSettings, options, () => undefined, warnOnce)
  const processor = new EdgeProcessor(settings, options, resource.attributes)
  const provider = new EdgeTracerProvider({
    resource,
    isMuted: () => false,
    onStart: (span, parent) => processor.onStart(span, parent),
    onEnd: (span) => processor.onEnd(span),
  })
  return { processor, tracer: provider.getTracer('svc-sdk') }
}

function end(tracer: Tracer, ...names: string[]) {
  for (const name of names) tracer.startSpan(name, { attributes: { 'svc.observation.input': name } }).end()
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
  expect(resource.attributes).toEqual([{ key: 'service.name', value: { stringValue: 'shop' } }])
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
  expect(lines).toEqual([expect.stringMatching(/1 spans wait: .* refuses the keys .*check SVC_PUBLIC_KEY/)])
  vi.advanceTimersByTime(60_000)
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
  new EdgeTracerProvider({
    resource: {} as Resource,
    isMuted: () => false,
    onStart() {},
    onEnd: (span) => processor.onEnd(span),
  })
    .getTracer('ai')
    .startSpan('ai.generateText.doGenerate', { attributes: sent }, ROOT_CONTEXT)
    .end()
  await processor.forceFlush()
  const spans = JSON.parse(received[0]?.text ?? '').resourceSpans[0].scopeSpans.flatMap(
    ({ spans }: { spans: { attributes: { key: string; value: { stringValue: string } }[] }[] }) =>
      spans.map((span) => Object.fromEntries(span.attributes.map(({ key, value }) => [key, value.stringValue]))),
  )
  expect(spans).toEqual([
    expect.objectContaining({
      'svc.observation.input': '{"messages":[{"role":"user","content":"What?"}]}',
      'svc.observation.output': '[{"role":"assistant","content":"So."}]',
    }),
    expect.objectContaining({ 'svc.observation.input': 'What?', 'svc.observation.output': 'So.' }),
    sent,
  ])
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
  vi.useFakeTimers()
  const exporter: SpanExporter = {
    export: (_, done) => void setTimeout(() => done({ code: 0 }), 4_000),
    async shutdown() {},
  }
  const { processor, tracer } = pipeline({ exporter, flushAt: 1 })
  end(tracer, ...'abcdefghijkl')
  let isOver = false
  void processor.forceFlush().then(() => {
    isOver = true
  })
  await vi.advanceTimersByTimeAsync(29_999)
  expect([isOver, processor.health().sent]).toEqual([false, 7])
  await vi.advanceTimersByTimeAsync(1)
  expect(isOver).toBe(true)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(processor.health()).toMatchObject({ ended: 12, sent: 12, pending: 0 })
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

// Last, because a reason is logged once a process.
it('edge spans are sent at most three times in one flush, and wait for the next one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { processor, tracer } = pipeline()
  answers = Array.from({ length: 10 }, () => () => [503, 'busy'])
  end(tracer, 'a')
  const flushed = processor.forceFlush()
  let isOver = false
  void flushed.then(() => {
    isOver = true
  })
  for (let turn = 0; !isOver && turn < 10_000; turn += 1) {
    await vi.advanceTimersByTimeAsync(100)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await flushed
  expect(received).toHaveLength(3)
  expect(processor.health()).toMatchObject({ state: 'paused', sent: 0, pending: 1 })
})

it('edge spans beyond the maximum retry age are dropped with the reason', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const healthAfter = async (ms: number) => {
    const { processor, tracer } = pipeline({ maxRetryAge: 60 })
    answers = [() => [401, 'no']]
    end(tracer, 'a')
    vi.setSystemTime(Date.now() + ms)
    await processor.forceFlush()
    return processor.health()
  }
  expect(await healthAfter(60_000)).toMatchObject({ pending: 1, dropped: {} })
  expect(await healthAfter(61_000)).toMatchObject({ pending: 0, dropped: { max_retry_age: 1 } })
})
