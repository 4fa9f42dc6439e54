import { createOpenAI } from '@ai-sdk/openai'
import { OpenTelemetry } from '@ai-sdk/otel'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { startModelServer } from '@svc-examples/model-server'
import { generateText, registerTelemetry, streamText } from 'ai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { configure } from '../gen-ai/configure.ts'
import { adoptAiSdk, enableAiSdk } from './adopt.ts'
import { lazyIntegration } from './lazy-integration.ts'
import { SvcVercelAiSdkIntegration } from './svc-integration.ts'

const exporter = new InMemorySpanExporter()
let models: Awaited<ReturnType<typeof startModelServer>>

beforeAll(async () => {
  models = await startModelServer()
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }))
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  adoptAiSdk(() => lazyIntegration(() => new SvcVercelAiSdkIntegration()))
})
afterAll(async () => {
  trace.disable()
  context.disable()
  await models.close()
})
beforeEach(() => {
  exporter.reset()
  const registered = [...integrations()]
  return () => {
    configure({ captureContent: true })
    integrations().splice(0, Number.POSITIVE_INFINITY, ...registered)
  }
})

/** Where the AI SDK keeps what is registered. */
const integrations = () => (globalThis as unknown as Record<string, unknown[]>).AI_SDK_TELEMETRY_INTEGRATIONS ?? []

const model = () => createOpenAI({ apiKey: 'sk-test', baseURL: `${models.url}/v1` }).chat('gpt-test')
const names = () => exporter.getFinishedSpans().map(({ name }) => name)
const ONE_CALL = ['chat gpt-test', 'step 1', 'invoke_agent gpt-test']

describe('the AI SDK 7', () => {
  it('is recorded without an option at its calls', async () => {
    const { text } = await generateText({ model: model(), prompt: 'Say hi' })
    expect(names()).toEqual(ONE_CALL)
    const [call, , agent] = exporter.getFinishedSpans()
    expect(call?.attributes['gen_ai.operation.name']).toBe('chat')
    expect(String(call?.attributes['svc.observation.input'])).toContain('Say hi')
    expect(String(agent?.attributes['svc.observation.output'])).toContain(JSON.stringify(text).slice(1, -1))
  })

  it('is recorded when it streams', async () => {
    const { stream } = streamText({ model: model(), prompt: 'Say hi' })
    for await (const _ of stream);
    expect(names()).toEqual(ONE_CALL)
  })

  it('is recorded with tokens and without content if content is switched off', async () => {
    configure({ captureContent: false })
    await generateText({ model: model(), prompt: 'a secret', instructions: 'a secret' })
    const attributes = JSON.stringify(exporter.getFinishedSpans().map((span) => span.attributes))
    expect(attributes).not.toContain('secret')
    expect(attributes).toContain('gen_ai.usage.input_tokens')
  })

  it('is not recorded if a call or the whole process switches it off', async () => {
    await generateText({ model: model(), prompt: 'Say hi', telemetry: { isEnabled: false } })
    enableAiSdk(false)
    await generateText({ model: model(), prompt: 'Say hi' })
    expect(names()).toEqual([])
    enableAiSdk(true)
    await generateText({ model: model(), prompt: 'Say hi' })
    expect(names()).toEqual(ONE_CALL)
  })

  it('keeps integrations of the application beside ours', async () => {
    const received: unknown[] = []
    registerTelemetry({ onStart: () => void received.push('start') })
    await generateText({ model: model(), prompt: 'Say hi' })
    expect([received, names()]).toEqual([['start'], ONE_CALL])
  })

  it('makes no second span for telemetry that the application registers itself', async () => {
    registerTelemetry(new OpenTelemetry())
    await generateText({ model: model(), prompt: 'Say hi' })
    expect(names()).toEqual(ONE_CALL)
  })
})
