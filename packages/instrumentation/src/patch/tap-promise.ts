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
  return isPromise(promise) ? promise.then(...handlersFor(observer)) : promise
}

/**
 * Creates a tap for many promises, such as the chunks of a stream, so that each of them creates only the next promise.
 */
export function promiseTap(observer: SettledHandler): (promise: PromiseLike<unknown>) => PromiseLike<unknown> {
  const handlers = handlersFor(observer)
  return (promise) => promise.then(...handlers)
}

/** Returns handlers for `then` that pass on what they get. */
function handlersFor(observer: SettledHandler) {
  const value = (settled: unknown): unknown => {
    try {
      observer.value(settled)
    } catch (error) {
      log.debug(`cannot look at an answer: ${messageOf(error)}`, error)
    }
    return settled
  }
  const error = (reason: unknown): Promise<never> => {
    try {
      observer.error(reason)
    } catch (error) {
      log.debug(`cannot look at an error: ${messageOf(error)}`, error)
    }
    return Promise.reject(reason)
  }
  return [value, error] as const
}
