import type { Context, Link, SpanContext, SpanOptions, TextMapGetter, TextMapPropagator } from '@opentelemetry/api'
import { context as contexts, createContextKey, isSpanContextValid, trace } from '@svc/core/api'
import { propagation } from '@svc/core/propagation'
import {
  type Belief,
  beliefIn,
  beliefOf,
  type CallerTrust,
  reportRefused,
  withBelief,
  withReceivedBaggage,
} from './trust.ts'

/** `createContextKey` is `Symbol.for` underneath: every copy of this module shares the key. */
const REFUSED = createContextKey('svc.refused-parent')

/**
 * A propagator that does not continue the trace named by a caller that is not believed: any client that knows a trace id
 * could write into that trace, or turn its recording off. Nor does it take the caller's word about user, session and
 * tags, which would be handed on to other services as well. Parents from other carriers (jobs, queue messages) were put
 * there by code and are continued.
 *
 * @param isRequest whether a carrier came with a request: {@link isOfRequest}
 */
export function refusingCallers(
  inner: TextMapPropagator,
  trust: CallerTrust,
  isRequest: (carrier: unknown, getter: TextMapGetter) => boolean,
): TextMapPropagator {
  return {
    inject: (context, carrier, setter) => inner.inject(context, carrier, setter),
    extract(context, carrier, getter) {
      const extracted = inner.extract(context, carrier, getter)
      if (extracted === context) return context
      // An HTTP instrumentation extracts into the root context. Who asks is known of the request that we follow.
      const active = contexts.active()
      const belief = beliefIn(context) ?? beliefIn(active) ?? beliefOf(trust)
      const parent = trace.getSpanContext(extracted)
      const isOfCaller = isRequest(carrier, getter) || isRefused(parent, context) || isRefused(parent, active)
      const believed = withBelieved(extracted, context, isOfCaller ? belief : { ...belief, trace: true }, trust)
      return belief.values && beliefIn(believed) !== belief ? withBelief(believed, belief) : believed
    },
    fields: () => inner.fields(),
  }
}

/**
 * Returns the context without what came with a caller that is not believed. Its span is stored for {@link
 * linkedToRefused}.
 *
 * @param before the context before extraction
 */
export function withBelieved(context: Context, before: Context, belief: Belief, trust: CallerTrust): Context {
  const hasBaggage = !belief.values && propagation.getBaggage(context) !== propagation.getBaggage(before)
  const clean = hasBaggage ? withReceivedBaggage(context, trust.trustBaggage, belief.address) : context
  const parent = trace.getSpanContext(clean)
  if (belief.trace || !parent || parent === trace.getSpanContext(before)) return clean
  reportRefused(trust.trustTraceparent, belief.address)
  return refuseParent(clean, parent, before)
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

/**
 * Returns whether a carrier came with a request. Those of HTTP have a host, and headers that code injects into a message
 * do not; gateways of functions pass names on with capitals. Of gRPC there are metadata, which have methods.
 */
export function isOfRequest(carrier: unknown, getter: TextMapGetter): boolean {
  const isGrpc = typeof (carrier as { getMap?: unknown } | undefined)?.getMap === 'function'
  return isGrpc || ['host', ':authority', 'Host'].some((name) => getter.get(carrier, name) !== undefined)
}

function isRefused(parent: SpanContext | undefined, context: Context): boolean {
  const caller = context.getValue(REFUSED) as SpanContext | undefined
  return caller !== undefined && caller.traceId === parent?.traceId && caller.spanId === parent.spanId
}

/** @param before the context before extraction */
function refuseParent(context: Context, parent: SpanContext, before: Context): Context {
  const above = trace.getSpan(before)
  return withRefusedParent(above ? trace.setSpan(context, above) : trace.deleteSpan(context), parent)
}

/** Returns the context with a caller for {@link linkedToRefused}. */
function withRefusedParent(context: Context, { traceId, spanId, traceFlags }: SpanContext): Context {
  return context.setValue(REFUSED, { traceId, spanId, traceFlags, isRemote: true } satisfies SpanContext)
}
