import { log, messageOf } from '@svc/core/log'
import type { Ending } from '../ending.ts'

/** Ends the observation when the result ends; at once for a plain value. Never throws. */
export function follow<R>(result: R, ending: Ending): R {
  // Its end is known already: a fallback, say, is no result of the work.
  if (ending.ended) return result
  if ((typeof result !== 'object' && typeof result !== 'function') || result === null) {
    ending.settle(result)
    return result
  }
  try {
    for (const follower of ending.followers) {
      const followed = follower(result, ending)
      if (followed) return followed as R & object
    }
    ending.settle(result)
  } catch (error) {
    // A frozen object takes no new property, and the traps of a proxy may throw.
    log.debug(`cannot follow a result: ${messageOf(error)}`, error)
    ending.done()
  }
  return result
}
