import { createRequire } from 'node:module'
import type { TextMapPropagator } from '@opentelemetry/api'
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import { withoutSvcBaggage } from '@svc/core/baggage'
import { refusingParents } from '@svc/core/remote-parent'
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
 * The propagator of what `OTEL_PROPAGATORS` names. Where baggage is not trusted, ours is left at the door, so that it is not
 * handed on to other services either; where callers are not trusted, their traces are not continued.
 */
export function propagatorOf(
  names: readonly PropagatorName[],
  trustBaggage = true,
  trustsTraceparent = () => true,
): TextMapPropagator {
  const propagators = names.map((name) => PROPAGATORS[name]())
  const all = refusingParents(discreet(new CompositePropagator({ propagators })), trustsTraceparent)
  return trustBaggage ? all : refusing(all)
}

/** Says nothing to the vendors of models, unless `SVC_PROPAGATE_TO_VENDORS` has it otherwise. */
function discreet(inner: TextMapPropagator): TextMapPropagator {
  return {
    inject(context, carrier, setter) {
      if (!isVendorBound(context)) inner.inject(context, carrier, setter)
    },
    extract: (context, carrier, getter) => inner.extract(context, carrier, getter),
    fields: () => inner.fields(),
  }
}

function refusing(inner: TextMapPropagator): TextMapPropagator {
  return {
    inject: (context, carrier, setter) => inner.inject(context, carrier, setter),
    extract: (context, carrier, getter) => withoutSvcBaggage(inner.extract(context, carrier, getter)),
    fields: () => inner.fields(),
  }
}

function b3(): typeof import('@opentelemetry/propagator-b3') {
  return require('@opentelemetry/propagator-b3')
}
