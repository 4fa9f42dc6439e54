import { trace } from '@opentelemetry/api'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { configureGlobalLogger } from '@svc/core/log'
import { setSvcTracerProvider } from '@svc/tracing'
import { type ModelServer, startModelServer } from '@svc-examples/model-server'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans, tell } from '../../test/spans.ts'
import { instrumentOpenAI } from './instrument.ts'
import { type ObserveOpenAIConfig, observeOpenAI } from './observe.ts'

let server: ModelServer
let client: OpenAI

beforeAll(async () => {
  recordSpans()
  server = await startModelServer()
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none' })
})
beforeEach(forgetSpans)
afterAll(() => server.close())

const about = { model: 'gpt-4o-mini', messages: [{ role: 'user' as const, content: 'What is a span?' }] }
const ANSWER = 'You asked "What is a span?". The short version: it depends, but less than people think.'
const ask = (config?: ObserveOpenAIConfig) => observeOpenAI(client, config).chat.completions.create(about)
const names = () => finishedSpans().map(({ name }) => name)

it('each call of an observed client is a generation named after class and method', async () => {
  await ask()
  expect(finishedSpans().map(tell)).toEqual([{ name: 'Completions.create', output: [ANSWER], finish: ['stop'] }])
})

it('the client that was given, and others, stay unobserved', async () => {
  await client.chat.completions.create(about)
  await new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none' }).chat.completions.create(about)
  expect(names()).toEqual([])
})

it('the promise, its helpers and the answer are the library’s own', async () => {
  const [bare, observed] = [client.chat.completions.create(about), ask()]
  expect(observed.constructor).toBe(bare.constructor)
  const { data, response } = await observed.withResponse()
  expect([response.status, data.choices]).toEqual([200, (await bare).choices])
})

it('name, metadata and prompt are written on the generation', async () => {
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

it('a prompt that is a fallback links to nothing', async () => {
  await ask({ svcPrompt: { name: 'greeting', version: 3, isFallback: true } })
  expect(Object.keys(finishedSpans()[0]?.attributes ?? {}).filter((name) => name.includes('prompt'))).toEqual([])
})

it('a generation hangs from the parent that is named', async () => {
  const parentSpanContext = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 }
  await ask({ parentSpanContext })
  expect(finishedSpans()[0]?.parentSpanContext?.spanId).toBe(parentSpanContext.spanId)
})

it('streams and what helpers do later are observed, each call under its own configuration', async () => {
  const first = observeOpenAI(client, { generationName: 'first' })
  const second = observeOpenAI(client, { generationName: 'second' })
  const helper = first.chat.completions.stream(about)
  for await (const _ of await second.chat.completions.create({ ...about, stream: true }));
  expect(await helper.finalContent()).toBe(ANSWER)
  expect(names().sort()).toEqual(['first', 'second'])
})

it('a client made by withOptions() is observed as well, and resources stay the same', async () => {
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

it('the application runs none of its own spans inside', async () => {
  await ask()
  expect(trace.getActiveSpan()).toBeUndefined()
})

it('what is no client comes back as it is, with one line', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  configureGlobalLogger({})
  const other = { chat: {} }
  expect(observeOpenAI(other)).toBe(other)
  expect(warn.mock.calls.join()).toContain('observeOpenAI was given what is no OpenAI client')
  warn.mockRestore()
})

it('beside the preload a call is one generation, and keeps what was said of it', async () => {
  instrumentOpenAI({ OpenAI })
  await ask({ generationName: 'greet' })
  await client.chat.completions.create(about)
  expect(names()).toEqual(['greet', 'chat gpt-4o-mini'])
})

it('generations go to the provider that was set for the service, and to no other', async () => {
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
