import { context, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { InMemorySpanExporter, type ReadableSpan, TracerProvider } from '@opentelemetry/sdk-trace'
import { configureGlobalLogger, LogLevel, resetGlobalLogger } from '@svc/core/log'
import { afterAll, beforeAll } from 'vitest'
import { configure } from '../src/gen-ai/configure.ts'

const exporter = new InMemorySpanExporter()
/** Spans that started in this file of tests. One of an earlier file may end now, when its stream is collected. */
let started = new WeakSet<object>()
const provider = new TracerProvider({
  spanProcessors: [
    {
      onStart: (span) => void started.add(span),
      onEnd: (span) => {
        if (started.has(span)) exporter.export([span], () => {})
      },
      forceFlush: async () => {},
      shutdown: async () => {},
    },
  ],
})

/** Keeps every span of the tests of a file in memory, and logs nothing. What the tests configured ends with them. */
export function recordSpans(): void {
  beforeAll(() => {
    started = new WeakSet()
    configureGlobalLogger({ level: LogLevel.NONE })
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    trace.setGlobalTracerProvider(provider)
  })
  afterAll(() => {
    trace.disable()
    context.disable()
    resetGlobalLogger()
    configure({})
    forgetSpans()
  })
}

export function finishedSpans(): ReadableSpan[] {
  return exporter.getFinishedSpans()
}

export function forgetSpans(): void {
  exporter.reset()
}

/** What a span tells of a call, in a few words. */
export interface RecordedSpan {
  readonly name: string
  /** Its status and message, when it is an error. */
  readonly error?: string
  readonly level?: unknown
  readonly outcome?: unknown
  /** The texts of the answer, and its tool calls as `name(arguments)`. */
  readonly output: readonly string[]
  readonly finish?: unknown
  /** Whether the time of the first token is known. */
  readonly streamed?: true
}

export function tell(span: ReadableSpan): RecordedSpan {
  const { attributes, name, status } = span
  const outcome = attributes['svc.observation.metadata.outcome']
  const level = attributes['svc.observation.level']
  const finish = attributes['gen_ai.response.finish_reasons']
  const isTool = attributes['gen_ai.operation.name'] === 'execute_tool'
  return {
    name,
    ...(status.code === SpanStatusCode.ERROR ? { error: `${attributes['error.type']}: ${status.message}` } : {}),
    ...(level ? { level } : {}),
    ...(outcome ? { outcome: JSON.parse(String(outcome)) } : {}),
    output: isTool ? [] : messages(attributes['svc.observation.output']).map(words),
    ...(finish ? { finish } : {}),
    ...(attributes['svc.observation.completion_start_time'] ? { streamed: true } : {}),
  }
}

interface Message {
  readonly role: string
  readonly content?: string | readonly { readonly text?: string }[]
  readonly thinking?: readonly { readonly content: string }[]
  readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: string } }[]
}

export function messages(json: unknown): Message[] {
  return typeof json === 'string' ? JSON.parse(json) : []
}

function words({ content = [], thinking = [], tool_calls = [] }: Message): string {
  const texts = typeof content === 'string' ? [content] : content.map(({ text }) => text ?? '')
  const calls = tool_calls.map(({ function: { name, arguments: input } }) => `${name}(${input})`)
  return [...thinking.map((thought) => thought.content), ...texts, ...calls].join('; ')
}
