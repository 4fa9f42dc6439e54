import { log, messageOf } from '@svc/core/log'
import type { Ending } from '../ending.ts'
import { followAsyncIterable } from './async-iterable.ts'
import { followIterator } from './iterator.ts'
import { followNodeStream } from './node-stream.ts'
import { followObservable } from './observable.ts'
import { followPromise } from './promise.ts'
import { followThenable } from './thenable.ts'
import { followWebStream } from './web-stream.ts'

/**
 * Follows one kind of result to its end.
 *
 * @returns what the application gets instead: the result itself wherever that is possible; undefined when this is
 *   another kind of result
 */
export type Follower = (result: object, ending: Ending) => object | undefined

// The first that knows the result takes it. A query may be thenable and iterable, a Node stream is iterable as well.
const FOLLOWERS: readonly Follower[] = [
  followPromise,
  followThenable,
  followWebStream,
  followNodeStream,
  followObservable,
  followIterator,
  followAsyncIterable,
]

/** Ends the observation when the result has come to its end, which for a plain value is at once. Never throws. */
export function follow<R>(result: R, ending: Ending): R {
  if ((typeof result !== 'object' && typeof result !== 'function') || result === null) {
    ending.settle(result)
    return result
  }
  try {
    for (const follower of FOLLOWERS) {
      const followed = follower(result, ending)
      if (followed) return followed as R & object
    }
    ending.settle(result)
  } catch (error) {
    // A closed object takes no property of ours, a broken proxy nothing at all.
    log.debug(`cannot follow a result: ${messageOf(error)}`, error)
    ending.done()
  }
  return result
}
