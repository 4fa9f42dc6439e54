import { type Context, createContextKey, ROOT_CONTEXT } from '@opentelemetry/api'
import { configureGlobalLogger, LogLevel } from '@svc/core/log'
import { claimRuntime, releaseRuntime } from '@svc/core/registry'
import { spanLeftOut } from '@svc/core/span-events'
import { suppressCalls } from '@svc/instrumentation/record'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { duplicateTestOf } from './duplicates.ts'

const INSTRUMENTED = Symbol.for('svc.instrumented.6')
const instrumented = (...names: readonly string[]) => Reflect.set(globalThis, INSTRUMENTED, new Set(names))

beforeEach(() => {
  instrumented()
  configureGlobalLogger({ level: LogLevel.NONE })
})

/** The context of a caller that would record a call itself. */
const claimable = (claimed: () => void) => ROOT_CONTEXT.setValue(createContextKey('svc.llm.claim'), claimed)

const isDuplicate = (scope: string, name: string, parent: Context = ROOT_CONTEXT) =>
  duplicateTestOf(scope)?.(name, parent)

it.each(['app', 'svc-sdk', '@opentelemetry/instrumentation-http', '@traceloop/instrumentation-pinecone', 'openai'])(
  'spans of %s are not checked for duplicates',
  (scope) => expect(duplicateTestOf(scope)).toBeUndefined(),
)

describe('a duplicate span of a recorded call is dropped', () => {
  it.each([
    ['@arizeai/openinference-instrumentation-openai', 'openai', 'OpenAI Chat Completions'],
    ['@opentelemetry/instrumentation-openai', 'openai', 'chat gpt-test'],
    ['@traceloop/instrumentation-openai', 'openai', 'openai.chat'],
    ['@traceloop/instrumentation-anthropic', '@anthropic-ai/sdk', 'chat claude-test'],
    ['@traceloop/instrumentation-cohere', 'cohere-ai', 'cohere.chat'],
    ['@traceloop/instrumentation-mcp', '@modelcontextprotocol/sdk', 'weather.tool'],
    ['mcp-handler', '@modelcontextprotocol/server', 'tools/call weather'],
    ['@arizeai/openinference-instrumentation-langchain', '@langchain/core', 'RunnableSequence'],
    ['@traceloop/instrumentation-llamaindex', 'openai', 'chat gpt-test'],
  ])('%s over %s: %s', (scope, library, name) => {
    expect(isDuplicate(scope, name)).toBe(false)
    instrumented(library)
    expect(isDuplicate(scope, name)).toBe(true)
  })
})

it('the listener receives each dropped duplicate, and no other span', () => {
  const warnings: unknown[] = []
  const listen = (message: unknown) => void warnings.push(message)
  spanLeftOut?.subscribe(listen)
  const scope = '@traceloop/instrumentation-openai'
  isDuplicate(scope, 'openai.chat')
  instrumented('openai')
  isDuplicate(scope, 'openai.chat')
  isDuplicate(scope, 'image_variation dall-e-2')
  spanLeftOut?.unsubscribe(listen)
  expect(warnings).toEqual([{ scope, reason: 'duplicate' }])
})

it.each([
  ['@traceloop/instrumentation-openai', 'openai', 'image_variation dall-e-2'],
  ['@traceloop/instrumentation-anthropic', '@anthropic-ai/sdk', 'text_completion claude-2'],
  ['@traceloop/instrumentation-cohere', 'cohere-ai', 'cohere.rerank'],
  ['@traceloop/instrumentation-mcp', '@modelcontextprotocol/sdk', 'resources/read.mcp'],
  ['@traceloop/instrumentation-llamaindex', 'openai', 'RetrieverQueryEngine.query'],
])('a span of %s is kept if the call in %s is not recorded otherwise: %s', (scope, library, name) => {
  instrumented(library)
  const claimed = vi.fn()
  expect(isDuplicate(scope, name, claimable(claimed))).toBe(false)
  expect(claimed).not.toHaveBeenCalled()
})

it.each([
  '@opentelemetry/instrumentation-aws-sdk',
  'mistralai_sdk_tracer',
  'com.anthropic.sdk.typescript',
  'com.anthropic.sdk.typescript.messages',
])('spans of %s are dropped only inside a recorded call', (scope) => {
  expect(isDuplicate(scope, 'any', suppressCalls(ROOT_CONTEXT))).toBe(true)
  expect(isDuplicate(scope, 'any')).toBe(false)
})

it.each([
  ['@arizeai/openinference-instrumentation-openai', 'Name @arizeai/openinference-instrumentation-openai in SVC_INSTR'],
  ['@traceloop/instrumentation-together-ai', 'Name @traceloop/instrumentation-together in SVC_INSTRUMENTATIONS'],
  ['@opentelemetry/instrumentation-openai', 'Name the library in SVC_DISABLED_INSTRUMENTATIONS'],
  ['@traceloop/instrumentation-llamaindex', undefined],
])('dropped duplicates of %s are logged with the remedy: %s', (scope, remedy) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  configureGlobalLogger({ level: LogLevel.WARN })
  instrumented('openai', 'together-ai')
  expect(isDuplicate(scope, 'chat gpt-test')).toBe(true)
  expect(warn.mock.calls.map(([line]) => line)).toEqual(remedy ? [expect.stringContaining(remedy)] : [])
  warn.mockRestore()
})

describe('for a library that is not instrumented', () => {
  const scope = '@traceloop/instrumentation-openai'

  it('a span yields to the framework that records the call', () => {
    expect(isDuplicate(scope, 'openai.chat', suppressCalls(ROOT_CONTEXT))).toBe(true)
  })

  it('a span marks the call as recorded for its framework', () => {
    const claimed = vi.fn()
    expect(isDuplicate(scope, 'openai.chat', claimable(claimed))).toBe(false)
    expect(claimed).toHaveBeenCalledOnce()
  })
})

describe('a span of Sentry', () => {
  const sentrys = (op: string, origin: string, parent: Context = ROOT_CONTEXT) =>
    duplicateTestOf('@sentry/node')?.('chat gpt-test', parent, {
      attributes: { 'sentry.op': op, 'sentry.origin': origin },
    })

  it.each([
    ['auto.ai.openai', 'openai'],
    ['auto.ai.orchestrion.openai', 'openai'],
    ['auto.ai.anthropic', '@anthropic-ai/sdk'],
    ['auto.ai.google_genai', '@google/genai'],
    ['auto.ai.groq', 'groq-sdk'],
    ['auto.ai.langchain', '@langchain/core'],
    ['auto.vercelai.channel', 'ai'],
    ['auto.vercelai.otel', 'ai'],
  ])('of a recorded call is dropped: %s', (origin, library) => {
    expect(sentrys('gen_ai.chat', origin)).toBe(false)
    instrumented(library)
    expect(sentrys('gen_ai.chat', origin)).toBe(true)
  })

  it('of anything else is kept', () => {
    instrumented('openai', 'ai')
    expect(sentrys('http.client', 'auto.http.otel.node_fetch')).toBe(false)
    expect(sentrys('gen_ai.chat', 'auto.ai.flue')).toBe(false)
    expect(sentrys('gen_ai.chat', 'manual')).toBe(false)
    expect(duplicateTestOf('@sentry/node')?.('no options', ROOT_CONTEXT)).toBe(false)
  })
})

it("a library's own span of a call that we record is dropped where only a provider of the application has it", () => {
  instrumented('@anthropic-ai/sdk')
  const own = () => isDuplicate('com.anthropic.sdk.typescript', 'anthropic.messages.create')
  expect(own()).toBe(false)
  claimRuntime({
    owner: 'a test',
    attach() {},
    forceFlush: async () => {},
    shutdown: async () => {},
    hasHost: () => true,
  })
  const seen = [own(), isDuplicate('com.anthropic.sdk.typescript', 'anthropic.messages.count_tokens')]
  releaseRuntime()
  expect(seen).toEqual([true, false])
})
