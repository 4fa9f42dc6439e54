import type { Ending } from '../ending.ts'
import { follow } from './follow.ts'
import { isMethod } from './override-method.ts'

/**
 * A promise of the language, which settles whether anybody waits or not. The application gets the promise behind it:
 * one that nobody handles must still be reported as unhandled, and there is no way to look at a promise without
 * handling it.
 */
export function followPromise(result: object, ending: Ending): object | undefined {
  if (!isPlainPromise(result)) return undefined
  ending.expect()
  const next = result.then(
    (value) => follow(value, ending),
    (error) => {
      ending.fail(error)
      throw error
    },
  )
  // Some libraries hang methods on a promise: `cancel`, an id.
  const own = Object.entries(Object.getOwnPropertyDescriptors(result))
  for (const [name, descriptor] of own) Object.defineProperty(next, name, descriptor)
  return next
}

/** Whether `then` may be called without starting anything: of subclasses (and of queries) nobody knows. */
export function isPlainPromise(value: object): value is Promise<unknown> {
  if (value instanceof Promise) return value.constructor === Promise && value.then === Promise.prototype.then
  // From another realm: a `node:vm` context, a test runner's environment, an iframe.
  const { then } = value as { then?: unknown }
  return Object.prototype.toString.call(value) === '[object Promise]' && isMethod(then) && isNative(then)
}

/** Whether a method is part of the runtime rather than written in JavaScript. */
export function isNative(method: unknown): boolean {
  return isMethod(method) && /\{\s*\[native code\]\s*\}$/.test(Function.prototype.toString.call(method))
}
