import { createOpenAI } from '@ai-sdk/openai'
import { context as api, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { endOpenCalls } from '@svc/core/open-calls'
import { setSvcTracerProvider } from '@svc/tracing'
import { startModelServer } from '@svc-examples/model-server'
import { embed, generateText, jsonSchema, Output, type RerankingModel, rerank } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { afterAll, afterEach, expect, it } from 'vitest'
import { configure } from '../gen-ai/configure.ts'
import { SvcVercelAiSdkIntegration } from './svc-integration.ts'

const server = startModelServer()
afterAll(async () => (await server).close())
afterEach(() => configure({}))

const model = async () => createOpenAI({ baseURL: `${(await server).url}/v1`, apiKey: 'none' })

function traced(): { tracer: Tracer; spans: InMemorySpanExporter } {
  const spans = new InMemorySpanExporter()
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] })
  return { tracer: provider.getTracer('test'), spans }
}

const context = (svcPrompt: object) => ({
  runtimeContext: { svcPrompt, tenant: 'acme' },
  telemetry: { includeRuntimeContext: { svcPrompt: true, tenant: true } },
})

async function callModel(svcPrompt: object) {
  const { tracer, spans } = traced()
  const { telemetry, ...more } = context(svcPrompt)
  const integrations = [new SvcVercelAiSdkIntegration({ tracer })]
  const request = { model: (await model())('gpt-4o-mini'), prompt: 'What?', ...more }
  await generateText({ ...request, telemetry: { ...telemetry, integrations } })
  return spans.getFinishedSpans()
}

it('a prompt is linked to the spans of the model, and other keys of the context are metadata', async () => {
  const spans = await callModel({ name: 'greeting', version: 3 })
  const prompts = spans.map(({ name, attributes }) => [name, attributes['svc.observation.prompt.name']])
  expect(prompts).toEqual([
    ['chat gpt-4o-mini', 'greeting'],
    ['step 1', undefined],
    ['invoke_agent gpt-4o-mini', undefined],
  ])
  expect(spans[0]?.attributes).toMatchObject({ 'svc.observation.prompt.version': 3 })
  expect(spans.map(({ attributes }) => attributes['svc.observation.metadata.tenant'])).toContain('"acme"')
})

it.each([{ name: 'greeting', version: 3, isFallback: true }, { name: 'greeting' }, { version: 3 }])(
  '%o is not linked as a prompt',
  async (prompt) => {
    const spans = await callModel(prompt)
    expect(spans.flatMap(({ attributes }) => Object.keys(attributes)).join()).not.toContain('.prompt.')
  },
)

it('an output that the application sets inside a tool is kept, and the input is ours', async () => {
  api.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const { tracer, spans } = traced()
  const usage = { inputTokens: {}, outputTokens: {} }
  const call = { type: 'tool-call', toolCallId: 'call-1', toolName: 'look', input: '{"at":1}' }
  const model = new MockLanguageModelV4({
    doGenerate: async () => ({ content: [call], finishReason: { unified: 'tool-calls' }, usage }) as never,
  })
  const look = {
    inputSchema: jsonSchema({}),
    execute: () => {
      trace.getActiveSpan()?.setAttribute('svc.observation.output', 'mine')
      return 'ours'
    },
  }
  const integrations = [new SvcVercelAiSdkIntegration({ tracer })]
  await generateText({ model, prompt: 'What?', tools: { look }, telemetry: { integrations } })
  api.disable()
  const tool = spans.getFinishedSpans().find(({ name }) => name === 'execute_tool look')
  expect(tool?.attributes).toMatchObject({ 'svc.observation.input': '{"at":1}', 'svc.observation.output': 'mine' })
})

it('AI SDK content is not recorded if content is switched off', async () => {
  configure({ captureContent: false })
  const spans = await callModel({ name: 'greeting', version: 3 })
  expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain('What?')
})

it.each([
  ['texts of embeddings are recorded', true, 'What?'],
  ['unless content is not to be', false, undefined],
])('%s', async (_, captureContent, text) => {
  configure({ captureContent })
  const { tracer, spans } = traced()
  const request = { model: (await model()).embeddingModel('text-embedding-3-small'), value: 'What?' }
  await embed({ ...request, telemetry: { integrations: [new SvcVercelAiSdkIntegration({ tracer })] } })
  const inputs = spans.getFinishedSpans().map(({ attributes }) => attributes['svc.observation.input'])
  expect(inputs).toEqual([text, text])
})

it('embeddings are recorded without their vectors', async () => {
  const { tracer, spans } = traced()
  const integration = new SvcVercelAiSdkIntegration({ tracer })
  expect(integration).toBeInstanceOf(SvcVercelAiSdkIntegration)
  const request = { model: (await model()).embeddingModel('text-embedding-3-small'), value: 'a' }
  await embed({ ...request, telemetry: { integrations: [integration] } })
  const [span] = spans.getFinishedSpans()
  expect(span?.status.code).toBe(SpanStatusCode.UNSET)
  expect(JSON.stringify(span?.attributes)).not.toMatch(/0\.\d{3}/)
})

it('a call whose output fits has ended well, also when the process ends before its next turn', async () => {
  const { tracer, spans } = traced()
  const usage = { inputTokens: {}, outputTokens: {} }
  const model = new MockLanguageModelV4({
    doGenerate: async () =>
      ({ content: [{ type: 'text', text: '{"a":1}' }], finishReason: { unified: 'stop' }, usage }) as never,
  })
  const integrations = [new SvcVercelAiSdkIntegration({ tracer })]
  const output = Output.object({ schema: jsonSchema<{ a: number }>({}) })
  expect((await generateText({ model, prompt: 'What?', output, telemetry: { integrations } })).output).toEqual({ a: 1 })
  endOpenCalls()
  const root = spans.getFinishedSpans().find(({ name }) => name.startsWith('invoke_agent'))
  expect([root?.status.code, root?.attributes['svc.observation.status_message']]).toEqual([
    SpanStatusCode.UNSET,
    undefined,
  ])
})

it('without a tracer option its spans go to the provider of setSvcTracerProvider only', async () => {
  const [own, global] = [new InMemorySpanExporter(), new InMemorySpanExporter()]
  const providerOf = (exporter: InMemorySpanExporter) =>
    new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  trace.setGlobalTracerProvider(providerOf(global))
  const integrations = [new SvcVercelAiSdkIntegration()]
  setSvcTracerProvider(providerOf(own))
  try {
    await generateText({ model: (await model())('gpt-4o-mini'), prompt: 'What?', telemetry: { integrations } })
  } finally {
    setSvcTracerProvider(null)
    trace.disable()
  }
  expect(own.getFinishedSpans()).toHaveLength(3)
  expect(global.getFinishedSpans()).toEqual([])
})

it('rerank is recorded as a span of its own kind, not as a generation', async () => {
  const { tracer, spans } = traced()
  const sorting = {
    specificationVersion: 'v4',
    provider: 'test',
    modelId: 'sorter',
    doRerank: async () => ({ ranking: [{ index: 0, relevanceScore: 1 }] }),
  } as unknown as RerankingModel
  const integrations = [new SvcVercelAiSdkIntegration({ tracer })]
  await rerank({ model: sorting, query: 'What?', documents: ['a'], telemetry: { integrations } })
  const types = spans.getFinishedSpans().map(({ attributes }) => attributes['svc.observation.type'])
  expect(types).toEqual(['retriever', 'span'])
})
