import { log, messageOf } from '@svc/core/log'
import { isPromise } from '../gen-ai/read.ts'

/** Is told what a promise settles to. */
export interface SettledHandler {
  value(settled: unknown): void
  error(reason: unknown): void
}

/**
 * Looks at what a promise settles to, and passes it on. A rejection goes on as one: thrown again it would seem to come
 * from here, and merely looked at it would count as handled.
 */
export function tapPromise(promise: unknown, observer: SettledHandler): unknown {
  return isPromise(promise) ? promiseTap(observer)(promise) : promise
}

/** The same for many promises, such as the chunks of a stream: for each of them nothing is made but the next promise. */
export function promiseTap(observer: SettledHandler): (promise: PromiseLike<unknown>) => PromiseLike<unknown> {
  const value = (settled: unknown) => {
    try {
      observer.value(settled)
    } catch (error) {
      log.debug(`cannot look at an answer: ${messageOf(error)}`, error)
    }
    return settled
  }
  const error = (reason: unknown) => {
    try {
      observer.error(reason)
    } catch (error) {
      log.debug(`cannot look at an error: ${messageOf(error)}`, error)
    }
    return Promise.reject(reason)
  }
  return (promise) => promise.then(value, error)
}
