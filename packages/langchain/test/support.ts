import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { environmentOf } from '@svc/core/environment'
import { configureGlobalLogger, LogLevel, resetGlobalLogger } from '@svc/core/log'
import { configure } from '@svc/instrumentation/record'
import { SvcSpanProcessor } from '@svc/otel'
import { afterEach, beforeEach, vi } from 'vitest'

/** What the spans of one test became, and what was said about them. */
export interface Recorded {
  spans(): ReadableSpan[]
  /** The span of that name; throws when it has not ended. */
  span(name: string): ReadableSpan
  attributes(name: string): ReadableSpan['attributes']
  /** Names of the spans with those above them: `chain > prompt`. */
  paths(): string[]
  lines(): readonly string[]
}

/** Every test of the file runs with a global provider, our span processor in front of a memory, and a context manager. */
export function useRecording(): Recorded {
  let exporter = new InMemorySpanExporter()
  let printed: string[] = []
  beforeEach(() => {
    exporter = new InMemorySpanExporter()
    printed = []
    const stamps = new SvcSpanProcessor({ env: environmentOf({}), exporter: new InMemorySpanExporter() })
    const spanProcessors = [stamps, new SimpleSpanProcessor({ exporter })]
    trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors }))
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    vi.spyOn(console, 'warn').mockImplementation((...parts: unknown[]) => void printed.push(String(parts[0])))
    configureGlobalLogger({ level: LogLevel.INFO, prefix: 'svc:', enableTimestamp: false })
  })
  afterEach(() => {
    trace.disable()
    context.disable()
    configure({})
    vi.restoreAllMocks()
    resetGlobalLogger()
  })
  const spans = () => exporter.getFinishedSpans()
  const span = (name: string) => {
    const found = spans().find((each) => each.name === name)
    if (!found) throw new Error(`no span ${name} among ${spans().map((each) => each.name)}`)
    return found
  }
  const path = (of: ReadableSpan): string => {
    const above = spans().find((each) => each.spanContext().spanId === of.parentSpanContext?.spanId)
    return above ? `${path(above)} > ${of.name}` : of.name
  }
  return {
    spans,
    span,
    attributes: (name) => span(name).attributes,
    paths: () => spans().map(path).sort(),
    lines: () => printed,
  }
}
