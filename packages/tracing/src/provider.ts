import { type Tracer, type TracerProvider, trace } from '@opentelemetry/api'
import { SDK_SCOPE } from '@svc/core/attributes'
import { warnOnce } from '@svc/core/log'
import { VERSION } from '@svc/core/version'

interface State {
  isolatedTracerProvider: TracerProvider | null
}

// On globalThis: the ESM and the CommonJS copy of this package, and two installed copies, must agree (contract 2.4).
const SLOT = Symbol.for('svc')
let local: State | undefined

/**
 * Sends the observations of this package through a provider of their own, and only them. What is isolated is
 * processing and export: trace ids and parents are still shared with the global spans, so a child may go to one place
 * and its parent to another.
 *
 * @param provider the provider; null goes back to OpenTelemetry's global one
 */
export function setSvcTracerProvider(provider: TracerProvider | null): void {
  if (provider !== null && typeof provider?.getTracer !== 'function') {
    warnOnce('setSvcTracerProvider is ignored: expected a TracerProvider, or null to go back to the global one.')
    return
  }
  state().isolatedTracerProvider = provider
}

/** The provider that observations are made with: the one that was set, else OpenTelemetry's global one. */
export function getSvcTracerProvider(): TracerProvider {
  return state().isolatedTracerProvider ?? trace.getTracerProvider()
}

/** The tracer that observations are made with: scope `svc-sdk`, version of this package. */
export function getSvcTracer(): Tracer {
  return getSvcTracerProvider().getTracer(SDK_SCOPE, VERSION)
}

function state(): State {
  const slots = globalThis as unknown as Record<symbol, State | undefined>
  const shared = slots[SLOT]
  if (shared) return shared
  local ??= { isolatedTracerProvider: null }
  try {
    Object.defineProperty(globalThis, SLOT, { value: local, writable: false, enumerable: false, configurable: false })
  } catch {
    warnOnce('globalThis takes no new property, so other copies of @svc/tracing will not know the provider set here.')
  }
  return local
}
