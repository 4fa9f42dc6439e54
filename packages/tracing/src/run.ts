import type { Context, Span } from '@opentelemetry/api'
import { context, isSpanContextValid } from '@svc/core/api'
import { claimTrace } from '@svc/core/context'
import { withSpan } from '@svc/core/flat-context'
import { Ending, type Follower, type Recorder } from './ending.ts'
import { follow } from './follow/follow.ts'

/**
 * Runs `work` with the span of an observation active, and follows its result. The caller receives what `work` returns or throws.
 *
 * @param followers the kinds of results that are followed, in order of precedence
 */
export function run<R>(
  span: Span,
  parent: Context,
  recorder: Recorder,
  followers: readonly Follower[],
  work: () => R,
): R {
  const within = withSpan(parent, span)
  const spanContext = span.spanContext()
  // Without a recording tracer there is nothing to follow and nothing to propagate.
  if (!isSpanContextValid(spanContext)) return context.with(within, work)
  const ending = new Ending(claimTrace(within, spanContext.traceId), recorder, followers)
  let result: R
  try {
    result = context.with(ending.context, work)
  } catch (error) {
    ending.fail(error)
    throw error
  }
  return follow(result, ending)
}
