import { type Context, context, isSpanContextValid } from '@opentelemetry/api'
import { claimTrace } from '@svc/core/context'
import { withSpan } from '@svc/core/flat-context'
import { Ending, type Recorder } from './ending.ts'
import { follow } from './follow/follow.ts'
import type { ObservationKind } from './kinds.ts'
import type { BaseObservation } from './observation-types.ts'

/**
 * Runs `work` with the observation active, and follows its result. The caller receives what `work` returns or throws.
 */
export function run<R>(
  observation: BaseObservation<ObservationKind>,
  parent: Context,
  recorder: Recorder,
  work: () => R,
): R {
  const { otelSpan } = observation
  const within = withSpan(parent, otelSpan)
  // Without a recording tracer there is nothing to follow and nothing to propagate.
  if (!isSpanContextValid(otelSpan.spanContext())) return context.with(within, work)
  const ending = new Ending(claimTrace(within, observation.traceId), recorder)
  let result: R
  try {
    result = context.with(ending.context, work)
  } catch (error) {
    ending.fail(error)
    throw error
  }
  return follow(result, ending)
}
