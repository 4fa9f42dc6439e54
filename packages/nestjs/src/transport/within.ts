import type { CallHandler } from '@nestjs/common'
import { context } from '@svc/core/api'
import { attempt } from '@svc/core/attempt'
import { Observable } from 'rxjs'
import type { Scope } from '../scope/scope.ts'

/** The callbacks of a handler that is observed. */
export interface Work {
  /** The request or message it handles. */
  readonly scope: Scope
  /** @returns the value to pass on in place of `value` */
  readonly emitted?: (value: unknown) => unknown
  threw(error: unknown): void
  readonly completed?: () => void
  /** The subscriber unsubscribed. */
  readonly left?: () => void
}

/**
 * Returns the Observable of the handler, which is subscribed in the context of `work` when Nest subscribes, and
 * unsubscribed when Nest unsubscribes.
 */
export function within(work: Work, next: CallHandler): Observable<unknown> {
  return new Observable((subscriber) => {
    let hasEnded = false
    const subscription = context.with(work.scope.workContext, () =>
      next.handle().subscribe({
        next: (value) => subscriber.next(work.emitted ? work.emitted(value) : value),
        error: (error) => {
          hasEnded = true
          attempt('record an error', () => work.threw(error))
          subscriber.error(error)
        },
        complete: () => {
          hasEnded = true
          attempt('record an end', () => work.completed?.())
          subscriber.complete()
        },
      }),
    )
    return () => {
      subscription.unsubscribe()
      if (!hasEnded) attempt('record an end', () => work.left?.())
    }
  })
}
