import { SpanStatusCode } from '@svc/core/api'
import { messageIn } from '@svc/core/log'
import { own } from '@svc/core/own'
import { FOLLOWERS } from './follow/followers.ts'
import type { ObservationKind } from './kinds.ts'
import { startIn } from './observation.ts'
import type { ObservationOf, StartActiveObservationOptions } from './observation-types.ts'
import { recorderOf } from './recorder.ts'
import { requireFunction } from './require-function.ts'
import { run } from './run.ts'
import { parentContext } from './span.ts'

/**
 * Runs `fn` inside an observation: whatever it starts becomes a child. The observation ends with the work: when a
 * promise settles, a stream, generator or Observable ends, or a query is answered; at once for a plain value. An error
 * is thrown on unchanged; the span gets status ERROR and the error's message.
 *
 * Returns the object that `fn` returned, with two exceptions: for a promise, another promise that settles the same way;
 * for a web stream in runtimes with native streams (browsers, edge), another stream with the same content.
 *
 * @param name name of the observation
 * @param fn the work; receives the observation
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
  const given: StartActiveObservationOptions<K> = options ?? {}
  const endOnExit = own(given, 'endOnExit') ?? true
  const parent = parentContext(own(given, 'parentSpanContext'))
  const observation = startIn(parent, name, undefined, given)
  const { otelSpan } = observation
  const recorder = recorderOf(observation, {
    endOnExit,
    captureOutput: false,
    failed: (error) => {
      otelSpan.setStatus({ code: SpanStatusCode.ERROR, message: messageIn(error) ?? 'Unknown error' })
    },
  })
  return run(otelSpan, parent, recorder, FOLLOWERS, () => fn(observation))
}
