import { type Context, context, ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  InMemorySpanExporter,
  type ReadableSpan,
  TracerProvider,
  type TracerProviderOptions,
} from '@opentelemetry/sdk-trace'
import { environmentOf } from '@svc/core/environment'
import { afterAll, beforeAll } from 'vitest'
import { SvcSpanProcessor, type SvcSpanProcessorParams } from '../../src/index.ts'

export const KEYS = { publicKey: 'pk-test', secretKey: 'sk-test' }

/**
 * A processor that reads no variable of the machine, behind OpenTelemetry's own provider. Its service answers from the
 * process that the test keeps busy: where a deadline is not the subject, it has a minute.
 */
export function tracing(params: SvcSpanProcessorParams = {}, options: TracerProviderOptions = {}) {
  const processor = new SvcSpanProcessor({ env: environmentOf({}), timeout: 60, shutdownTimeout: 60, ...params })
  const provider = new TracerProvider({
    ...options,
    spanProcessors: [processor, ...(options.spanProcessors ?? [])],
  })
  return { processor, provider, tracer: (scope = 'svc-sdk') => provider.getTracer(scope) }
}

/** The same, with everything that is exported kept in memory. */
export function exporting(params: SvcSpanProcessorParams = {}, options: TracerProviderOptions = {}) {
  const exporter = new InMemorySpanExporter()
  const parts = tracing({ exporter, exportMode: 'immediate', ...params }, options)
  const exported = async (): Promise<ReadableSpan[]> => {
    await parts.processor.forceFlush()
    return exporter.getFinishedSpans()
  }
  return { ...parts, exported }
}

/** A context whose active span is `span`. */
export const under = (span: Span, base: Context = ROOT_CONTEXT) => trace.setSpan(base, span)

/** The mark of an app root, which a span has from its start. */
export const isRoot = (span: unknown) => (span as Span & ReadableSpan).attributes['svc.internal.is_app_root']

/** Makes `context.with` work in the tests of a file. */
export function withContextManager(): void {
  beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()))
  afterAll(() => context.disable())
}
