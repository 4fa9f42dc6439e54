import type { Context, TextMapPropagator } from '@opentelemetry/api'
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import { REQUEST } from '@svc/core/muted-span'
import { isOfRequest, refusingCallers } from '@svc/core/remote-parent'
import { beliefIn, type CallerTrust } from '@svc/core/trust'
import { isVendorBound } from '@svc/instrumentation/record'
import { b3, b3multi } from './b3.ts'
import type { PropagatorName } from './propagator-names.ts'

const PROPAGATORS: Readonly<Record<PropagatorName, () => TextMapPropagator>> = {
  tracecontext: () => new W3CTraceContextPropagator(),
  baggage: () => new W3CBaggagePropagator(),
  b3,
  b3multi,
}

/**
 * Creates the propagator of `OTEL_PROPAGATORS`, which extracts nothing of callers that are not trusted.
 *
 * @param told returns a context with what called processes are told of its trace. Default: nothing more
 */
export function propagatorOf(
  names: readonly PropagatorName[],
  trust: CallerTrust,
  told?: (context: Context) => Context,
): TextMapPropagator {
  const propagators = names.map((name) => PROPAGATORS[name]())
  const inner = sparingVendors(new CompositePropagator({ propagators }), told)
  const telling = refusingCallers(inner, trust, isOfRequest)
  // Node tells of requests of HTTP/1.1 when they begin. What one names later may be what Next has written there itself.
  const silent: CallerTrust = {
    get trustTraceparent() {
      return trust.trustTraceparent === true
    },
    get trustBaggage() {
      return trust.trustBaggage
    },
  }
  const looked = refusingCallers(inner, silent, isOfRequest)
  const extract: TextMapPropagator['extract'] = (context, carrier, getter) => {
    const begins = beliefIn(context) !== undefined && context.getValue(REQUEST) === undefined
    const isHttp1 = typeof getter.get(carrier, 'host') === 'string'
    return (isHttp1 && !begins ? looked : telling).extract(context, carrier, getter)
  }
  return { ...telling, extract }
}

/** Injects nothing into requests to model vendors, unless `SVC_PROPAGATE_TO_VENDORS` is set. */
function sparingVendors(
  inner: TextMapPropagator,
  told: (context: Context) => Context = (context) => context,
): TextMapPropagator {
  return {
    inject(context, carrier, setter) {
      if (!isVendorBound(context)) inner.inject(told(context), carrier, setter)
    },
    extract: (context, carrier, getter) => inner.extract(context, carrier, getter),
    fields: () => inner.fields(),
  }
}
