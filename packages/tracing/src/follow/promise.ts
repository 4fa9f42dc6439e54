import { isMethod } from '@svc/core/override-method'
import type { Ending } from '../ending.ts'
import { follow } from './follow.ts'

/**
 * Follows a native promise, which settles without being awaited. The application receives the promise of our `then`: a
 * rejection that the application does not handle must still be reported as unhandled, and a promise cannot be observed
 * without handling it.
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
  // Some libraries add properties to a promise: `cancel`, an id.
  const own = Object.entries(Object.getOwnPropertyDescriptors(result))
  for (const [name, descriptor] of own) Object.defineProperty(next, name, descriptor)
  return next
}

/** Whether calling `then` has no side effect. In a subclass, or in a query, it may start the work. */
export function isPlainPromise(value: object): value is Promise<unknown> {
  if (value instanceof Promise) return value.constructor === Promise && value.then === Promise.prototype.then
  // From another realm: a `node:vm` context, a test runner's environment, an iframe.
  const { then } = value as { then?: unknown }
  return Object.prototype.toString.call(value) === '[object Promise]' && isMethod(then) && isNative(then)
}

/** Whether a method is built into the runtime. */
export function isNative(method: unknown): boolean {
  return isMethod(method) && /\{\s*\[native code\]\s*\}$/.test(Function.prototype.toString.call(method))
}
