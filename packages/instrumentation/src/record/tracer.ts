import { type Tracer, type TracerProvider, trace } from '@opentelemetry/api'
import { VERSION } from '@svc/core/version'

let currentProvider: TracerProvider | undefined
const tracers = new Map<string, Tracer>()

/** Returns the tracer of a scope. Called for every call, so tracers are cached until the global provider changes. */
export function getTracer(scope: string): Tracer {
  // The API returns a proxy that stays the same when a provider is registered behind it.
  const proxy: TracerProvider & { getDelegate?(): TracerProvider } = trace.getTracerProvider()
  const provider = proxy.getDelegate?.() ?? proxy
  if (provider !== currentProvider) {
    currentProvider = provider
    tracers.clear()
  }
  const cached = tracers.get(scope)
  if (cached) return cached
  const tracer = provider.getTracer(scope, VERSION)
  tracers.set(scope, tracer)
  return tracer
}
