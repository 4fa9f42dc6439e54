import {
  type Context,
  createContextKey,
  isSpanContextValid,
  type Link,
  type SpanContext,
  type SpanOptions,
  type TextMapGetter,
  type TextMapPropagator,
  trace,
} from '@opentelemetry/api'

/** `createContextKey` is `Symbol.for` underneath: every copy of this module shares the key. */
const REFUSED = createContextKey('svc.refused-parent')

/**
 * A propagator that does not continue the trace which an HTTP request names: whoever knows the id of a trace could write
 * into it, and switch its recording off. The span of the caller is remembered, for {@link linkedToRefused}. What arrives
 * otherwise (jobs, messages of a queue) was put there by code, and is continued.
 *
 * @param trusts whether the callers are trusted; asked each time
 * @param isRequest whether something carries the headers of a request
 */
export function refusingParents(
  inner: TextMapPropagator,
  trusts: () => boolean,
  isRequest: (carrier: unknown, getter: TextMapGetter) => boolean = hasHost,
): TextMapPropagator {
  return {
    inject: (context, carrier, setter) => inner.inject(context, carrier, setter),
    extract(context, carrier, getter) {
      const extracted = inner.extract(context, carrier, getter)
      if (trusts()) return extracted
      const parent = trace.getSpanContext(extracted)
      if (!parent || parent === trace.getSpanContext(context)) return extracted
      return isRequest(carrier, getter) || isRefused(parent, context) ? refused(extracted, parent, context) : extracted
    },
    fields: () => inner.fields(),
  }
}

/** The context without the span of another process that came in with it, which is remembered. */
export function withoutRemoteParent(context: Context): Context {
  const parent = trace.getSpanContext(context)
  return parent ? refused(context, parent) : context
}

/** The options of a span: a root links to the caller that was refused, where there is one. */
export function linkedToRefused(options: SpanOptions | undefined, parent: Context): SpanOptions | undefined {
  const above = options?.root ? undefined : trace.getSpanContext(parent)
  if (above && isSpanContextValid(above)) return options
  const caller = parent.getValue(REFUSED) as SpanContext | undefined
  if (!caller) return options
  const link: Link = { context: caller }
  return { ...options, links: [...(options?.links ?? []), link] }
}

/** HTTP/1.1 and HTTP/2 requests name the host they are for. What code injects into a message does not. */
function hasHost(carrier: unknown, getter: TextMapGetter): boolean {
  return ['host', ':authority'].some((name) => getter.get(carrier, name) !== undefined)
}

function isRefused({ traceId, spanId }: SpanContext, context: Context): boolean {
  const caller = context.getValue(REFUSED) as SpanContext | undefined
  return caller?.traceId === traceId && caller.spanId === spanId
}

/** @param before the context without what came in */
function refused(context: Context, { traceId, spanId, traceFlags }: SpanContext, before?: Context): Context {
  const above = before && trace.getSpan(before)
  const without = above ? trace.setSpan(context, above) : trace.deleteSpan(context)
  return without.setValue(REFUSED, { traceId, spanId, traceFlags, isRemote: true } satisfies SpanContext)
}
