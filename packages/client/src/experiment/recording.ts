import { type TracerProvider, trace } from '@opentelemetry/api'
import { SDK_SCOPE } from '@svc/core/attributes'
import { keepAlive } from '@svc/core/keep-alive'
import { log, messageOf } from '@svc/core/log'
import { getRuntime } from '@svc/core/registry'
import { getSvcTracerProvider } from '@svc/tracing'

/** What the provider of OpenTelemetry's API shows beside `getTracer`: it stands for one that may come later. */
interface Provider {
  getDelegateTracer?(name: string): unknown
  getDelegate?(): Provider
  forceFlush?(): Promise<void>
}

/** Whether anybody records spans in this process. */
export function isRecorded(): boolean {
  const provider = getSvcTracerProvider() as Provider
  return !provider.getDelegateTracer || provider.getDelegateTracer(SDK_SCOPE) !== undefined
}

// What OpenTelemetry's provider waits for a flush, too.
const HOLD_MS = 30_000

/**
 * Sends the spans that ended, so that what a run reports can be looked at when it returns. Never rejects. A pipeline
 * keeps no process alive by itself, but whoever waits for a run means it.
 */
export async function flushSpans(): Promise<void> {
  const provider = getSvcTracerProvider() as Provider & TracerProvider
  // A provider of our own (`setSvcTracerProvider`) has nothing to do with the pipeline of the process.
  const runtime = provider === trace.getTracerProvider() ? getRuntime() : undefined
  try {
    await keepAlive((runtime ?? provider.getDelegate?.() ?? provider).forceFlush?.() ?? Promise.resolve(), HOLD_MS)
  } catch (error) {
    log.debug(`cannot flush the spans of an experiment: ${messageOf(error)}`)
  }
}
