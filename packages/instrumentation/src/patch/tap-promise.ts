import { log, messageOf } from '@svc/core/log'
import { isPromise } from '../gen-ai/read.ts'

/** Called when a promise settles. */
export interface SettledHandler {
  value(settled: unknown): void
  error(reason: unknown): void
}

/**
 * Observes what a promise settles to and returns a promise that settles the same way. Rejections are passed on with
 * `Promise.reject`: thrown again they would appear to come from here, and if only observed they would count as handled.
 */
export function tapPromise(promise: unknown, observer: SettledHandler): unknown {
  return isPromise(promise) ? promise.then(passOnValue(observer), passOnError(observer)) : promise
}

/**
 * Creates a tap for many promises, such as the chunks of a stream, so that each of them creates only the next promise.
 */
export function promiseTap(observer: SettledHandler): (promise: PromiseLike<unknown>) => PromiseLike<unknown> {
  const value = passOnValue(observer)
  const error = passOnError(observer)
  return (promise) => promise.then(value, error)
}

function passOnValue(observer: SettledHandler): (settled: unknown) => unknown {
  return (settled) => {
    try {
      observer.value(settled)
    } catch (error) {
      log.debug(`cannot look at an answer: ${messageOf(error)}`, error)
    }
    return settled
  }
}

function passOnError(observer: SettledHandler): (reason: unknown) => Promise<never> {
  return (reason) => {
    try {
      observer.error(reason)
    } catch (error) {
      log.debug(`cannot look at an error: ${messageOf(error)}`, error)
    }
    return Promise.reject(reason)
  }
}
