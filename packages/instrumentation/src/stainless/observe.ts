import { attempt } from '@svc/core/attempt'
import { isPromise } from '../calls/read.ts'

interface Observer {
  readonly value: (value: unknown) => void
  readonly error: (error: unknown) => void
}

/**
 * Looks at what a promise settles to, and passes it on. A rejection goes on by way of the promise itself: thrown again
 * it would seem to come from here, and merely looked at it would count as handled.
 */
export function observe(promise: unknown, { value, error }: Observer): unknown {
  if (!isPromise(promise)) return promise
  return promise.then(
    (settled) => {
      attempt('look at an answer', () => value(settled))
      return settled
    },
    (reason: unknown) => {
      attempt('look at an error', () => error(reason))
      return promise
    },
  )
}
