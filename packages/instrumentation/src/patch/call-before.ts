import { attempt } from '@svc/core/attempt'
import type { Method } from '../gen-ai/read.ts'

/**
 * Returns a method that calls `act` first, with the object and the arguments it is called with.
 *
 * @param what is attempted, for the log
 */
export function callBefore(
  original: Method,
  what: string,
  act: (owner: unknown, args: readonly unknown[]) => void,
): Method {
  return function (...args) {
    attempt(what, act, this, args)
    return original.apply(this, args)
  }
}
