import { type TracerProvider, trace } from '@opentelemetry/api'
import { SDK_SCOPE } from '@svc/core/attributes'
import { keepAlive } from '@svc/core/keep-alive'
import { log, messageOf } from '@svc/core/log'
import { getRuntime } from '@svc/core/registry'
import { getSvcTracerProvider } from '@svc/tracing'

/** Methods of OpenTelemetry's `ProxyTracerProvider`, whose delegate may be set later, and of SDK providers. */
interface Provider {
  getDelegateTracer?(name: string): unknown
  getDelegate?(): Provider
  forceFlush?(): Promise<void>
}

/** Whether a tracer provider that records spans is registered. */
export function isRecorded(): boolean {
  const provider = getSvcTracerProvider() as Provider
  return !provider.getDelegateTracer || provider.getDelegateTracer(SDK_SCOPE) !== undefined
}

// The time-out of a flush in OpenTelemetry's provider.
const HOLD_MS = 30_000

/**
 * Flushes ended spans, so that the links of a report work when a run returns. Keeps the process alive until then. Never
 * rejects.
 */
export async function flushSpans(): Promise<void> {
  const provider = getSvcTracerProvider() as Provider & TracerProvider
  // A provider set by `setSvcTracerProvider` does not use the pipeline of the process.
  const runtime = provider === trace.getTracerProvider() ? getRuntime() : undefined
  try {
    await keepAlive((runtime ?? provider.getDelegate?.() ?? provider).forceFlush?.() ?? Promise.resolve(), HOLD_MS)
  } catch (error) {
    log.debug(`cannot flush the spans of an experiment: ${messageOf(error)}`)
  }
}
