import { type Tracer, type TracerProvider, trace } from '@opentelemetry/api'
import { getRuntime } from '@svc/core/registry'
import { VERSION } from '@svc/core/version'

let currentSource: object | undefined
const tracers = new Map<string, Tracer>()

/**
 * Returns the tracer of a scope: of the running pipeline, else of the global provider. Called for every call, so tracers
 * are cached until that changes.
 */
export function getTracer(scope: string): Tracer {
  const runtime = getRuntime()
  const source = runtime?.getTracer ? runtime : globalProvider()
  if (source !== currentSource) {
    currentSource = source
    tracers.clear()
  }
  const cached = tracers.get(scope)
  if (cached) return cached
  const tracer = source.getTracer?.(scope, VERSION)
  // The pipeline may be made with the next call.
  if (!tracer) return globalProvider().getTracer(scope, VERSION)
  tracers.set(scope, tracer)
  return tracer
}

function globalProvider(): TracerProvider {
  // The API returns a proxy that stays the same when a provider is registered behind it.
  const proxy: TracerProvider & { getDelegate?(): TracerProvider } = trace.getTracerProvider()
  return proxy.getDelegate?.() ?? proxy
}
