import type { ContextManager, MeterProvider, TextMapPropagator, TracerProvider } from '@opentelemetry/api'

/**
 * The global object that all copies of OpenTelemetry's API share: registered components, and the version of the copy
 * that created it.
 */
export interface ApiGlobal {
  readonly version?: string | undefined
  trace?: Partial<TracerProvider> & { getDelegate?(): object | undefined }
  context?: ContextManager
  propagation?: TextMapPropagator
  readonly metrics?: MeterProvider
  readonly diag?: unknown
}

/** Where all copies of the API look for the global object. */
export const API_SLOT = Symbol.for('opentelemetry.js.api.1')

/** The global object of this process; undefined before the first registration. */
export function apiGlobal(): ApiGlobal | undefined {
  return (globalThis as unknown as Record<symbol, ApiGlobal | undefined>)[API_SLOT]
}
