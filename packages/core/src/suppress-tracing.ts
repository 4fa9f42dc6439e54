import type { Context } from '@opentelemetry/api'
import { context, createContextKey, ROOT_CONTEXT } from '@svc/core/api'

// The key that `suppressTracing` of @opentelemetry/core sets. That package takes longer to load than all of this one;
// `suppress-tracing.test.ts` of `@svc/otel` compares the two.
const SUPPRESS = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING')

/**
 * Runs `work` without recording spans, and outside the caller's trace: sockets and timers that it creates would
 * otherwise keep the context of the first request.
 */
export function withTracingSuppressed<T>(work: () => T): T {
  return context.with(ROOT_CONTEXT.setValue(SUPPRESS, true), work)
}

/** Whether spans that start in `context` are not recorded. */
export function isTracingSuppressed(context: Context): boolean {
  return context.getValue(SUPPRESS) === true
}
