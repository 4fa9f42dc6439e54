import { own } from '@svc/core/own'
import type { AttributesOf, ObservationKind } from './kinds.ts'
import { endIfInstant, startIn } from './observation.ts'
import type { ObservationOf, StartObservationOptions } from './observation-types.ts'
import { parentContext } from './span.ts'

/**
 * Starts an observation under the active span. It does not become active, and you have to end it. Never throws.
 *
 * @param name name of the observation
 * @param attributes fields known at the start; `model`, usage and costs only with kinds that call a model
 * @param options `asType`, `startTime`, `parentSpanContext`
 * @example
 * const tool = startObservation('get-weather', { input: { city: 'Oslo' } }, { asType: 'tool' })
 * tool.update({ output: await weatherOf('Oslo') }).end()
 */
export function startObservation<K extends ObservationKind = 'span'>(
  name: string,
  attributes?: AttributesOf<K>,
  options?: StartObservationOptions<K>,
): ObservationOf<K> {
  return endIfInstant(
    startIn(parentContext(options && own(options, 'parentSpanContext')), name, attributes, options ?? {}),
  )
}
