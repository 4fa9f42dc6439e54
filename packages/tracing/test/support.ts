import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
  type TracerProviderOptions,
} from '@opentelemetry/sdk-trace'
import { environmentOf } from '@svc/core/environment'
import { configureGlobalLogger, LogLevel, resetGlobalLogger } from '@svc/core/log'
import { SvcSpanProcessor } from '@svc/otel'
import { afterEach, beforeEach, vi } from 'vitest'

/** What the spans of one test became, and what was said about them. */
export interface Traced {
  /** All spans that have ended, in the order of their ends. */
  spans(): ReadableSpan[]
  /** The span of that name; throws when it has not ended. */
  span(name: string): ReadableSpan
  /** Attributes of that span. */
  attributes(name: string): ReadableSpan['attributes']
  /** What was logged, as far as it contains `text`. */
  lines(text?: string): string[]
}

/**
 * Every test of the file runs with a global provider of the SDK, our own span processor in front of a memory, a
 * context manager and a fresh logger.
 */
export function useTracing(options: TracerProviderOptions = {}): Traced {
  let exporter: InMemorySpanExporter
  let printed: string[] = []
  beforeEach(() => {
    exporter = new InMemorySpanExporter()
    printed = []
    const stamps = new SvcSpanProcessor({ env: environmentOf({}), exporter: new InMemorySpanExporter() })
    const provider = new TracerProvider({
      ...options,
      spanProcessors: [stamps, new SimpleSpanProcessor({ exporter })],
    })
    trace.setGlobalTracerProvider(provider)
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    for (const method of ['debug', 'info', 'warn', 'error'] as const) {
      vi.spyOn(console, method).mockImplementation((...parts: unknown[]) => void printed.push(String(parts[0])))
    }
    configureGlobalLogger({ level: LogLevel.INFO, prefix: 'svc:', enableTimestamp: false })
  })
  afterEach(() => {
    trace.disable()
    context.disable()
    propagation.disable()
    vi.restoreAllMocks()
    resetGlobalLogger()
  })
  const spans = () => exporter.getFinishedSpans()
  const span = (name: string) => {
    const found = spans().find((each) => each.name === name)
    if (!found)
      throw new Error(
        `no span "${name}" has ended: ${spans()
          .map((each) => each.name)
          .join(', ')}`,
      )
    return found
  }
  return {
    spans,
    span,
    attributes: (name) => span(name).attributes,
    lines: (text = '') => printed.filter((line) => line.includes(text)),
  }
}
