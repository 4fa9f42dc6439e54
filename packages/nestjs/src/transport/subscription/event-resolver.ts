import { context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import type { Query } from '../query.ts'
import { takeEvent } from './event-iterator.ts'
import type { SubscriptionEvent } from './subscription-event.ts'

type Resolve = (payload: unknown, args: unknown, contextValue: unknown, info: unknown) => unknown

const known = new WeakSet<object>()

/** From now on the field of a subscription, and all below it, is resolved in the context of its event. */
export function resolveInEvents({ field, fieldName }: Query): void {
  if (!field || known.has(field)) return
  known.add(field)
  const resolve = (field.resolve as Resolve | undefined) ?? byName(fieldName)
  field.resolve = (...args: Parameters<Resolve>) => {
    const [payload, , contextValue] = args
    const event = attempt('find an event', () => takeEvent(contextValue, payload))
    return event ? resolvedIn(event, () => resolve(...args)) : resolve(...args)
  }
}

/** Resolves a field as GraphQL does without a resolver. */
function byName(fieldName: string): Resolve {
  return (payload, ...rest) => {
    const value = (payload as Record<string, unknown> | null | undefined)?.[fieldName]
    return typeof value === 'function' ? value.call(payload, ...rest) : value
  }
}

/**
 * Returns a thenable for GraphQL to wait for. It goes on with the fields below in the function that it gives to
 * `then`, so that one runs in the context of the event.
 */
function resolvedIn(event: SubscriptionEvent, resolve: () => unknown): PromiseLike<unknown> {
  attempt('begin an event', () => event.begin())
  const { workContext } = event.scope
  const result = context.with(workContext, async () => resolve())
  result.then(
    (value) => attempt('record an event', () => event.resolved(value)),
    (error: unknown) => attempt('record an error', () => event.threw(error)),
  )
  const bound = <F>(callback: F): F => (typeof callback === 'function' ? context.bind(workContext, callback) : callback)
  return {
    // biome-ignore lint/suspicious/noThenProperty: all that GraphQL looks at.
    then: (fulfilled, rejected) => result.then(bound(fulfilled), bound(rejected)),
  }
}
