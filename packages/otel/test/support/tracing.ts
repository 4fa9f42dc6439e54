import { type Context, context, type Span, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { TracerProvider, type TracerProviderOptions } from '@opentelemetry/sdk-trace'
import { environmentOf } from '@svc/core/environment'
import { afterAll, beforeAll } from 'vitest'
import { SvcSpanProcessor, type SvcSpanProcessorParams } from '../../src/index.ts'

export const KEYS = { publicKey: 'pk-test', secretKey: 'sk-test' }

/** A processor that reads no variable of the machine, behind OpenTelemetry's own provider. */
export function tracing(params: SvcSpanProcessorParams = {}, options: TracerProviderOptions = {}) {
  const processor = new SvcSpanProcessor({ env: environmentOf({}), ...params })
  const provider = new TracerProvider({
    ...options,
    spanProcessors: [processor, ...(options.spanProcessors ?? [])],
  })
  return { processor, provider, tracer: (scope = 'svc-sdk') => provider.getTracer(scope) }
}

export const under = (span: Span, base: Context = context.active()) => trace.setSpan(base, span)

/** `context.with` works in the tests of this file. */
export function withContextManager(): void {
  beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()))
  afterAll(() => context.disable())
}
