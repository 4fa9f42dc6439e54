import type { Context } from '@opentelemetry/api'
import { context, createContextKey, ROOT_CONTEXT } from '@svc/core/api'
import { builtin } from '@svc/core/builtin'
import { ON_SERVER } from '@svc/core/on-server'

// The key that `suppressTracing` of @opentelemetry/core sets. That package takes longer to load than all of this one;
// `suppress-tracing.test.ts` of `@svc/otel` compares the two.
const SUPPRESS = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING')

/**
 * Runs `work` without recording spans, and outside the caller's trace: sockets and timers that it creates would
 * otherwise keep the context of the first request.
 */
export function withTracingSuppressed<T>(work: () => T): T {
  const suppressed = () => context.with(ROOT_CONTEXT.setValue(SUPPRESS, true), work)
  return ON_SERVER ? withoutDatadog(suppressed) : suppressed()
}

/** Channels of dd-trace about connections and requests, which have its store while it instruments these. */
const DATADOG = ['apm:net:tcp:start', 'apm:http:client:request:start']

interface DatadogChannel {
  readonly _stores?: ReadonlyMap<{ run<T>(store: object, work: () => T): T }, unknown>
}

/** dd-trace knows nothing of OpenTelemetry's key. Of its own requests it makes no spans by a store that says so. */
function withoutDatadog<T>(work: () => T): T {
  const { channel } = builtin('node:diagnostics_channel') ?? {}
  for (const name of DATADOG) {
    const [storage] = (channel?.(name) as DatadogChannel | undefined)?._stores?.keys() ?? []
    if (storage) return storage.run({ noop: true }, work)
  }
  return work()
}

/** Whether spans that start in `context` are not recorded. */
export function isTracingSuppressed(context: Context): boolean {
  return context.getValue(SUPPRESS) === true
}
