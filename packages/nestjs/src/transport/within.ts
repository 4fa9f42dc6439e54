import type { CallHandler } from '@nestjs/common'
import { context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { Observable } from 'rxjs'
import type { Scope } from '../scope/scope.ts'

/** A handler at work, and who wants to know how it goes. */
export interface Work {
  /** What it is done for. */
  readonly scope: Scope
  /** @returns what to hand on in the place of `value` */
  emitted(value: unknown): unknown
  threw(error: unknown): void
  completed(): void
  /** Nobody wants to hear more. */
  left(): void
}

/**
 * What the handler gives, worked at in the context of `work`, and nothing else changed: subscribed when Nest
 * subscribes, left when Nest leaves.
 */
export function within(work: Work, next: CallHandler): Observable<unknown> {
  return new Observable((subscriber) => {
    let over = false
    const subscription = context.with(work.scope.workContext, () =>
      next.handle().subscribe({
        next: (value) => subscriber.next(work.emitted(value)),
        error: (error) => {
          over = true
          attempt('record an error', () => work.threw(error))
          subscriber.error(error)
        },
        complete: () => {
          over = true
          attempt('record an end', () => work.completed())
          subscriber.complete()
        },
      }),
    )
    return () => {
      subscription.unsubscribe()
      if (!over) attempt('record an end', () => work.left())
    }
  })
}
