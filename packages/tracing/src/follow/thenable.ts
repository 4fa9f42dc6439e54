import { context } from '@opentelemetry/api'
import type { Ending } from '../ending.ts'
import { follow } from './follow.ts'
import { isMethod, type Method, overrideMethod } from './override-method.ts'

/**
 * Anything else that can be awaited: a query builder, a request, a promise of a library's own class. Calling `then`
 * may be what executes it, so nobody but the application calls it: we wait in its place, and are gone with the first
 * call. What is never awaited ended when it was returned.
 */
export function followThenable(result: object, ending: Ending): object | undefined {
  const { then } = result as { then?: unknown }
  if (!isMethod(then)) return undefined
  const restore = overrideMethod(result, 'then', function (this: unknown, ...args: unknown[]) {
    if (this !== result) return then.apply(this, args)
    restore()
    if (areCallbacks(args)) return call(then, result, args, ending)
    // A step of somebody's recipe, or a query that is sent without waiting for the answer.
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
