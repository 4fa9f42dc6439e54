import { type Tracer, type TracerProvider, trace } from '@opentelemetry/api'
import { VERSION } from '@svc/core/version'

let owner: TracerProvider | undefined
const tracers = new Map<string, Tracer>()

/** The tracer of a scope. Asked for by every call, so it is kept for as long as the global provider is the same. */
export function tracerOf(scope: string): Tracer {
  const provider = behind(trace.getTracerProvider())
  if (provider !== owner) {
    owner = provider
    tracers.clear()
  }
  const known = tracers.get(scope)
  if (known) return known
  const tracer = provider.getTracer(scope, VERSION)
  tracers.set(scope, tracer)
  return tracer
}

/** The API hands out a stand-in that stays the same when a provider is registered behind it. */
function behind(provider: TracerProvider & { getDelegate?(): TracerProvider }): TracerProvider {
  return provider.getDelegate?.() ?? provider
}
