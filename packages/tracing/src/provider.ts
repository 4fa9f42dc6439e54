import type { Tracer, TracerProvider } from '@opentelemetry/api'
import { trace } from '@svc/core/api'
import { SDK_SCOPE } from '@svc/core/attributes/constants'
import { warnOnce } from '@svc/core/log'
import { ON_SERVER } from '@svc/core/on-server'
import * as SLOTS from '@svc/core/slots'
import { VERSION } from '@svc/core/version'

interface State {
  isolatedTracerProvider: TracerProvider | null
}

// On globalThis, because the ESM and CommonJS builds, and several installed copies, share it (contract 2.4).
const SLOT = Symbol.for(SLOTS.TRACER_PROVIDER)
const slots = globalThis as unknown as Record<symbol, State | undefined>
let local: State | undefined

/**
 * Sends the observations of this package, and only these, through another tracer provider. Only processing and export
 * are isolated: trace ids and parents are still shared with the global spans, so parent and child may be sent to
 * different places.
 *
 * @param provider the provider; null returns to OpenTelemetry's global one
 */
export function setSvcTracerProvider(provider: TracerProvider | null): void {
  if (provider !== null && typeof provider?.getTracer !== 'function') {
    warnOnce('setSvcTracerProvider is ignored: expected a TracerProvider, or null to go back to the global one.')
    return
  }
  state().isolatedTracerProvider = provider
}

/** Returns the tracer provider of observations: the one that was set, or OpenTelemetry's global one. */
export function getSvcTracerProvider(): TracerProvider {
  return (slots[SLOT] ?? local)?.isolatedTracerProvider ?? trace.getTracerProvider()
}

interface KnownTracer {
  readonly provider: TracerProvider
  /** Next replaces this method, to instrument the tracers that it returns. */
  readonly getTracer: TracerProvider['getTracer']
  readonly tracer: Tracer
}

let known: KnownTracer | undefined

/**
 * Returns the tracer of observations: scope `svc-sdk`, version of this package. On a server the same while its provider
 * is.
 */
export function getSvcTracer(): Tracer {
  const provider = getSvcTracerProvider()
  if (!ON_SERVER) return provider.getTracer(SDK_SCOPE, VERSION)
  const { getTracer } = provider
  if (known?.provider === provider && known.getTracer === getTracer) return known.tracer
  const tracer = provider.getTracer(SDK_SCOPE, VERSION)
  known = { provider, getTracer, tracer }
  return tracer
}

function state(): State {
  const shared = slots[SLOT]
  if (shared) return shared
  local ??= { isolatedTracerProvider: null }
  try {
    Object.defineProperty(globalThis, SLOT, { value: local, writable: false, enumerable: false, configurable: false })
  } catch {
    warnOnce('globalThis cannot be extended, so other copies of @svc/tracing do not use the provider set here.')
  }
  return local
}
