import { createRequire } from 'node:module'
import { type Context, context, type Span, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { propagatedAttributes } from '@svc/core/context'
import { configureGlobalLogger } from '@svc/core/log'
import { setSvcTracerProvider } from '@svc/tracing'
import { type ModelServer, startModelServer } from '@svc-examples/model-server'
import OpenAI, { AzureOpenAI } from 'openai'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { type ObserveOpenAIConfig, observeOpenAI } from './observe.ts'
import { instrumentOpenAI } from './patch.ts'

let server: ModelServer
let client: OpenAI

recordSpans()
beforeAll(async () => {
  server = await startModelServer()
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none' })
})
beforeEach(forgetSpans)
afterAll(() => server.close())

const about = { model: 'gpt-4o-mini', messages: [{ role: 'user' as const, content: 'What is a span?' }] }
const ANSWER = 'You asked "What is a span?". The short version: it depends, but less than people think.'
const ask = (config?: ObserveOpenAIConfig) => observeOpenAI(client, config).chat.completions.create(about)
const names = () => finishedSpans().map(({ name }) => name)

it('each call of an observed client is a generation named after its class and resource', async () => {
  const observed = observeOpenAI(client)
  await ask()
  await observed.completions.create({ model: 'gpt-3.5-turbo-instruct', prompt: 'What is a span?' })
  await observed.responses.create({ model: 'gpt-4o-mini', input: 'What is a span?' })
  await observed.embeddings.create({ model: 'text-embedding-3-small', input: 'What is a span?' })
  expect(names()).toEqual(['OpenAI.chat', 'OpenAI.completions', 'OpenAI.responses', 'OpenAI.embeddings'])
  for (const { attributes } of finishedSpans()) expect(attributes['svc.observation.type']).toBe('generation')
})

it('generations of an observed Azure client are named after its class', async () => {
  const azure = new AzureOpenAI({ endpoint: server.url, apiKey: 'none', apiVersion: '1', deployment: 'd' })
  await observeOpenAI(azure)
    .chat.completions.create(about)
    .catch(() => {})
  expect(names()).toEqual(['AzureOpenAI.chat'])
})

it('observing a client leaves the original client and others unobserved', async () => {
  await client.chat.completions.create(about)
  await new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none' }).chat.completions.create(about)
  expect(names()).toEqual([])
})

it("an observed call returns the library's own promise, with its helpers and response", async () => {
  const [bare, observed] = [client.chat.completions.create(about), ask()]
  expect(observed.constructor).toBe(bare.constructor)
  const { data, response } = await observed.withResponse()
  expect([response.status, data.choices]).toEqual([200, (await bare).choices])
  await (await ask().asResponse()).json()
  expect(finishedSpans().map(({ attributes }) => attributes['svc.observation.output'])).toEqual(
    Array(2).fill(expect.stringContaining(ANSWER.slice(-20))),
  )
})

it('an observed client writes name, metadata and prompt on the generation', async () => {
  await ask({
    generationName: 'greet',
    generationMetadata: { plan: 'pro', seats: 5, nothing: undefined },
    svcPrompt: { name: 'greeting', version: 3 },
  })
  expect(finishedSpans()[0]).toMatchObject({
    name: 'greet',
    attributes: {
      'svc.observation.metadata.plan': '"pro"',
      'svc.observation.metadata.seats': '5',
      'svc.observation.prompt.name': 'greeting',
      'svc.observation.prompt.version': 3,
    },
  })
})

it('an observed client does not link a fallback prompt', async () => {
  await ask({ svcPrompt: { name: 'greeting', version: 3, isFallback: true } })
  expect(Object.keys(finishedSpans()[0]?.attributes ?? {}).filter((name) => name.includes('prompt'))).toEqual([])
})

it('a generation has the configured parent span', async () => {
  const parentSpanContext = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 }
  await ask({ parentSpanContext })
  expect(finishedSpans()[0]?.parentSpanContext?.spanId).toBe(parentSpanContext.spanId)
})

it('streams and later calls of helpers are observed, each call with its own configuration', async () => {
  const first = observeOpenAI(client, { generationName: 'first' })
  const second = observeOpenAI(client, { generationName: 'second' })
  const helper = first.chat.completions.stream(about)
  for await (const _ of await second.chat.completions.create({ ...about, stream: true }));
  expect(await helper.finalContent()).toBe(ANSWER)
  expect(names().sort()).toEqual(['first', 'second'])
})

it('an answer that a helper does not take is a failure that keeps the answer', async () => {
  const stream = observeOpenAI(client).chat.completions.stream(about)
  stream.on('chatCompletion', () => {
    throw new RangeError('not this one')
  })
  await expect(stream.done()).rejects.toThrow('not this one')
  expect(finishedSpans().map(({ attributes }) => attributes)).toMatchObject([
    { 'svc.observation.level': 'ERROR', 'svc.observation.output': expect.stringContaining(ANSWER.slice(9)) },
  ])
})

it('a client created by withOptions() is observed as well, with stable resources', async () => {
  const observed = observeOpenAI(client, { generationName: 'copied' })
  expect(observed.chat.completions).toBe(observed.chat.completions)
  await observed.withOptions({ maxRetries: 0 }).chat.completions.create(about)
  expect(names()).toEqual(['copied'])
})

it('an observed client that is observed again has both configurations, the later one first', async () => {
  const observed = observeOpenAI(client, { generationName: 'first', generationMetadata: { plan: 'pro' } })
  await observeOpenAI(observed, { generationName: 'second' }).chat.completions.create(about)
  expect(names()).toEqual(['second'])
  expect(finishedSpans()[0]?.attributes).toMatchObject({ 'svc.observation.metadata.plan': '"pro"' })
})

it('application code does not run inside the generation', async () => {
  await ask()
  expect(trace.getActiveSpan()).toBeUndefined()
})

describe('an observed client without a context manager', () => {
  beforeEach(() => context.disable())
  afterEach(() => context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()))

  it('records calls, streams and later calls of helpers', async () => {
    const observed = observeOpenAI(client, { sessionId: 'chat-7' })
    await observed.chat.completions.create(about)
    for await (const _ of await observed.chat.completions.create({ ...about, stream: true }));
    await observed.chat.completions.stream(about).finalContent()
    expect(finishedSpans().map(({ attributes }) => attributes['svc.observation.output'])).toEqual([
      expect.stringContaining('"content":"You asked'),
      ANSWER,
      ANSWER,
    ])
  })

  it('records failures with their configuration', async () => {
    const parentSpanContext = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 }
    const failing = new OpenAI({
      apiKey: 'none',
      maxRetries: 0,
      fetch: async () => new Response('{}', { status: 429 }),
    })
    await expect(observeOpenAI(failing, { parentSpanContext }).chat.completions.create(about)).rejects.toThrow('429')
    const [span] = finishedSpans()
    expect(span?.attributes['svc.observation.level']).toBe('ERROR')
    expect(span?.parentSpanContext?.spanId).toBe(parentSpanContext.spanId)
  })

  it('gets trace attributes from the processor', async () => {
    const exporter = new InMemorySpanExporter()
    // As ours does.
    const onStart = (span: Span, parent: Context) => void span.setAttributes(propagatedAttributes(parent))
    const stamps = Object.assign(new SimpleSpanProcessor({ exporter }), { onStart })
    setSvcTracerProvider(new TracerProvider({ spanProcessors: [stamps] }))
    try {
      const config = { traceName: 'answer', sessionId: 's-1', userId: 'u-1', tags: ['beta'] }
      await observeOpenAI(client, config).chat.completions.create(about)
    } finally {
      setSvcTracerProvider(null)
    }
    expect(exporter.getFinishedSpans()[0]?.attributes).toMatchObject({
      'svc.trace.name': 'answer',
      'session.id': 's-1',
      'user.id': 'u-1',
      'svc.trace.tags': ['beta'],
    })
  })
})

it('observeOpenAI returns a value that is not a client unchanged, with one warning', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  configureGlobalLogger({})
  const other = { chat: {} }
  expect(observeOpenAI(other)).toBe(other)
  expect(warn.mock.calls.join()).toContain('observeOpenAI expected an OpenAI client')
  warn.mockRestore()
})

/** A client of a copy of the library that is instrumented, while other tests have one that is not. */
function instrumented(): OpenAI {
  const copy = createRequire(import.meta.url)('openai') as typeof import('openai')
  instrumentOpenAI(copy)
  return new copy.OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none' })
}

it('an observed call under the preload is one generation with its configuration', async () => {
  const client = instrumented()
  await observeOpenAI(client, { generationName: 'greet' }).chat.completions.create(about)
  await client.chat.completions.create(about)
  expect(names()).toEqual(['greet', 'chat gpt-4o-mini'])
})

it('generations go only to the provider that was set for the service', async () => {
  const exporter = new InMemorySpanExporter()
  const observed = observeOpenAI(client)
  setSvcTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }))
  try {
    await observed.chat.completions.create(about)
  } finally {
    setSvcTracerProvider(null)
  }
  expect(exporter.getFinishedSpans().map(({ instrumentationScope }) => instrumentationScope.name)).toEqual(['svc-sdk'])
  expect(finishedSpans()).toEqual([])
})

it('a tool loop goes completely to the provider that was set for the service', async () => {
  const client = instrumented()
  const exporter = new InMemorySpanExporter()
  setSvcTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }))
  try {
    const look = {
      function: (): string => 'seen',
      parameters: { type: 'object', properties: {} },
      description: 'Looks',
    }
    const tools = [{ type: 'function' as const, function: { ...look, name: 'look' } }]
    await observeOpenAI(client)
      .chat.completions.runTools({ ...about, tools })
      .finalContent()
  } finally {
    setSvcTracerProvider(null)
  }
  const own = exporter.getFinishedSpans().map(({ name }) => name)
  expect(own).toContain('invoke_agent runTools')
  expect(own).toContain('OpenAI.chat')
  expect(names()).toEqual([])
})
