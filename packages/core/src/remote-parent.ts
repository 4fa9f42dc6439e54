import type { Context, Link, SpanContext, SpanOptions, TextMapGetter, TextMapPropagator } from '@opentelemetry/api'
import { createContextKey, isSpanContextValid, trace } from '@svc/core/api'

/** `createContextKey` is `Symbol.for` underneath: every copy of this module shares the key. */
const REFUSED = createContextKey('svc.refused-parent')

/**
 * A propagator that does not continue the trace named by an HTTP request: any client that knows a trace id could write
 * into that trace, or turn its recording off. The caller's span is stored for {@link linkedToRefused}. Parents from
 * other carriers (jobs, queue messages) were put there by code and are continued.
 *
 * @param trusts whether callers are trusted; called for each request
 * @param isRequest whether a carrier holds the headers of an HTTP request
 */
export function refusingParents(
  inner: TextMapPropagator,
  trusts: () => boolean,
  isRequest: (carrier: unknown, getter: TextMapGetter) => boolean,
): TextMapPropagator {
  return {
    inject: (context, carrier, setter) => inner.inject(context, carrier, setter),
    extract(context, carrier, getter) {
      const extracted = inner.extract(context, carrier, getter)
      if (trusts()) return extracted
      const parent = trace.getSpanContext(extracted)
      if (!parent || parent === trace.getSpanContext(context)) return extracted
      return isRequest(carrier, getter) || isRefused(parent, context)
        ? refuseParent(extracted, parent, context)
        : extracted
    },
    fields: () => inner.fields(),
  }
}

/** Returns the context without its remote parent, which is stored for {@link linkedToRefused}. */
export function withoutRemoteParent(context: Context): Context {
  const parent = trace.getSpanContext(context)
  return parent ? refuseParent(context, parent) : context
}

/** Returns span options in which a root has a link to the refused caller, if there is one. */
export function linkedToRefused(options: SpanOptions | undefined, parent: Context): SpanOptions | undefined {
  const caller = parent.getValue(REFUSED) as SpanContext | undefined
  if (!caller) return options
  const above = options?.root ? undefined : trace.getSpanContext(parent)
  if (above && isSpanContextValid(above)) return options
  const link: Link = { context: caller }
  return { ...options, links: [...(options?.links ?? []), link] }
}

/** HTTP/1.1 and HTTP/2 requests have a host; headers that code injects into a message do not. */
export function hasHost(carrier: unknown, getter: TextMapGetter): boolean {
  return ['host', ':authority'].some((name) => getter.get(carrier, name) !== undefined)
}

function isRefused({ traceId, spanId }: SpanContext, context: Context): boolean {
  const caller = context.getValue(REFUSED) as SpanContext | undefined
  return caller?.traceId === traceId && caller.spanId === spanId
}

/** @param before the context before extraction */
function refuseParent(context: Context, parent: SpanContext, before?: Context): Context {
  const above = before && trace.getSpan(before)
  return withRefusedParent(above ? trace.setSpan(context, above) : trace.deleteSpan(context), parent)
}

/** Returns the context with a caller for {@link linkedToRefused}. */
export function withRefusedParent(context: Context, { traceId, spanId, traceFlags }: SpanContext): Context {
  return context.setValue(REFUSED, { traceId, spanId, traceFlags, isRemote: true } satisfies SpanContext)
}
