import { createRequire } from 'node:module'
import type { TextMapPropagator } from '@opentelemetry/api'
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import { withoutSvcBaggage } from '@svc/core/baggage'
import { hasHost, refusingParents } from '@svc/core/remote-parent'
import { isVendorBound } from '@svc/instrumentation/record'
import type { PropagatorName } from './propagator-names.ts'

const require = createRequire(import.meta.url)

const PROPAGATORS: Readonly<Record<PropagatorName, () => TextMapPropagator>> = {
  tracecontext: () => new W3CTraceContextPropagator(),
  baggage: () => new W3CBaggagePropagator(),
  b3: () => new (b3().B3Propagator)(),
  b3multi: () => new (b3().B3Propagator)({ injectEncoding: b3().B3InjectEncoding.MULTI_HEADER }),
}

/**
 * Creates the propagator of `OTEL_PROPAGATORS`. If baggage is not trusted, svc baggage is not extracted, so that it is
 * not forwarded to other services either. If callers are not trusted, their traces are not continued.
 */
export function propagatorOf(
  names: readonly PropagatorName[],
  trustBaggage = true,
  trustsTraceparent = () => true,
): TextMapPropagator {
  const propagators = names.map((name) => PROPAGATORS[name]())
  const all = refusingParents(sparingVendors(new CompositePropagator({ propagators })), trustsTraceparent, hasHost)
  return trustBaggage ? all : refusingSvcBaggage(all)
}

/** Injects nothing into requests to model vendors, unless `SVC_PROPAGATE_TO_VENDORS` is set. */
function sparingVendors(inner: TextMapPropagator): TextMapPropagator {
  return {
    inject(context, carrier, setter) {
      if (!isVendorBound(context)) inner.inject(context, carrier, setter)
    },
    extract: (context, carrier, getter) => inner.extract(context, carrier, getter),
    fields: () => inner.fields(),
  }
}

function refusingSvcBaggage(inner: TextMapPropagator): TextMapPropagator {
  return {
    inject: (context, carrier, setter) => inner.inject(context, carrier, setter),
    extract: (context, carrier, getter) => withoutSvcBaggage(inner.extract(context, carrier, getter)),
    fields: () => inner.fields(),
  }
}

function b3(): typeof import('@opentelemetry/propagator-b3') {
  return require('@opentelemetry/propagator-b3')
}
