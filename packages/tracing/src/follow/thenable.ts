import { context } from '@svc/core/api'
import { isMethod, type Method, overrideMethod } from '@svc/core/override-method'
import type { Ending } from '../ending.ts'
import { follow } from './follow.ts'

/**
 * Follows any other thenable: a query builder, a request, a promise class of a library. Because `then` may execute it,
 * only the application calls it: we replace `then`, and restore it at the first call. A thenable that is never awaited
 * ended when it was returned.
 */
export function followThenable(result: object, ending: Ending): object | undefined {
  const { then } = result as { then?: unknown }
  if (!isMethod(then)) return undefined
  const restore = overrideMethod(result, 'then', function (this: unknown, ...args: unknown[]) {
    if (this !== result) return then.apply(this, args)
    restore()
    if (areCallbacks(args)) return call(then, result, args, ending)
    // Not a call by `await`, or one that does not wait for the result.
    ending.done()
    return then.apply(result, args)
  })
  ending.expectFrom(result)
  return result
}

function areCallbacks([onFulfilled, onRejected]: readonly unknown[]): boolean {
  const given = [onFulfilled, onRejected].filter((callback) => callback !== undefined && callback !== null)
  return given.length > 0 && given.every(isMethod)
}

function call(then: Method, result: object, [onFulfilled, onRejected, ...rest]: unknown[], ending: Ending): unknown {
  const caller = context.active()
  const inCaller = (callback: Method, value: unknown) => context.with(caller, () => callback(value))
  const fulfilled = (value: unknown) => {
    const followed = follow(value, ending)
    return isMethod(onFulfilled) ? inCaller(onFulfilled, followed) : followed
  }
  const rejected = (error: unknown) => {
    ending.fail(error)
    if (isMethod(onRejected)) return inCaller(onRejected, error)
    throw error
  }
  ending.expect()
  try {
    return context.with(ending.context, () => then.call(result, fulfilled, rejected, ...rest))
  } catch (error) {
    ending.fail(error)
    throw error
  }
}
