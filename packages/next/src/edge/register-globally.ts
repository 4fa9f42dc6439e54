import type { ContextManager, TextMapPropagator, TracerProvider } from '@opentelemetry/api'
import { API_SLOT, type ApiGlobal } from '@svc/core/api-global'

// A copy of OpenTelemetry's API sees nothing that was registered by an older minor version, and an edge runtime may have
// several: the application's, that of its AI SDK, one in each bundle.
const NEWER_THAN_ALL = '1.999.0'

/**
 * Registers what all copies of OpenTelemetry's API share, whatever their versions. A context manager or propagator that
 * is there already stays.
 *
 * @returns whether it is ours: not where a provider was registered before
 */
export function registerGlobally(
  trace: TracerProvider,
  context: ContextManager | undefined,
  propagation: TextMapPropagator,
): boolean {
  const slots = globalThis as unknown as Record<symbol, ApiGlobal | undefined>
  slots[API_SLOT] ??= { version: NEWER_THAN_ALL }
  const api = slots[API_SLOT]
  if (api.trace) return false
  api.trace = trace
  if (context) api.context ??= context
  api.propagation ??= propagation
  return true
}
