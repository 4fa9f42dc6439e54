import { log, messageOf } from '@svc/core/log'
import { isPromise } from './read.ts'

/** Is told what a promise settles to. */
export interface Observer {
  value(settled: unknown): void
  error(reason: unknown): void
}

/**
 * Looks at what a promise settles to, and passes it on. A rejection goes on by way of the promise itself: thrown again
 * it would seem to come from here, and merely looked at it would count as handled.
 */
export function observe(promise: unknown, observer: Observer): unknown {
  if (!isPromise(promise)) return promise
  // Once for every chunk of a stream: no more than this is made for it.
  return promise.then(
    (settled) => {
      try {
        observer.value(settled)
      } catch (error) {
        log.debug(`cannot look at an answer: ${messageOf(error)}`, error)
      }
      return settled
    },
    (reason: unknown) => {
      try {
        observer.error(reason)
      } catch (error) {
        log.debug(`cannot look at an error: ${messageOf(error)}`, error)
      }
      return promise
    },
  )
}
