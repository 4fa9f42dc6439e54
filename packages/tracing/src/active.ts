import { SpanStatusCode } from '@opentelemetry/api'
import { messageIn } from '@svc/core/log'
import type { ObservationKind } from './kinds.ts'
import { startIn } from './observation.ts'
import type { ObservationOf, StartActiveObservationOptions } from './observation-types.ts'
import { recorderOf, requireFunction } from './recorder.ts'
import { run } from './run.ts'
import { parentContext } from './span.ts'

/**
 * Runs `fn` inside an observation: whatever starts in there becomes its child. The observation ends with the work: when
 * the promise settles, the stream, generator or Observable comes to its end, the query is answered; for a plain value
 * at once. An error passes through as it is and leaves the span with status ERROR and its message.
 *
 * The result is the object that `fn` returned, with two exceptions: of a promise you get one that settles alike, and
 * of a web stream in runtimes with native streams (browsers, edge) one that reads alike.
 *
 * @param name what the work is called
 * @param fn the work; gets the observation
 * @param options `asType`, `startTime`, `parentSpanContext`, `endOnExit`
 * @returns what `fn` returns
 * @throws {TypeError} when `fn` is not a function, and whatever `fn` throws
 * @example
 * const answer = await startActiveObservation(
 *   'answer-question',
 *   async (agent) => {
 *     agent.update({ input: question })
 *     return await answerOf(question)
 *   },
 *   { asType: 'agent' },
 * )
 */
export function startActiveObservation<R, K extends ObservationKind = 'span'>(
  name: string,
  fn: (observation: ObservationOf<K>) => R,
  options?: StartActiveObservationOptions<K>,
): R {
  requireFunction(fn, 'startActiveObservation(name, fn)')
  const { parentSpanContext, endOnExit = true } = options ?? {}
  const parent = parentContext(parentSpanContext)
  const observation = startIn(parent, name, undefined, options ?? {})
  const { otelSpan } = observation
  const recorder = recorderOf(observation, {
    endOnExit,
    captureOutput: false,
    failed: (error) => {
      otelSpan.setStatus({ code: SpanStatusCode.ERROR, message: messageIn(error) ?? 'Unknown error' })
    },
  })
  return run(observation, parent, recorder, () => fn(observation))
}
