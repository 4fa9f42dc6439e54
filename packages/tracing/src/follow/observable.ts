import { context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import type { Ending } from '../ending.ts'
import { isMethod, type Method, overrideMethod } from './override-method.ts'

/** What a class of Observables is called with, and what its `subscribe` takes. */
type Subscriber = { next: Method; error: Method; complete: Method }
type ObservableClass = new (subscribe: (subscriber: Subscriber) => unknown) => { subscribe: Method }

/**
 * An Observable as of RxJS. It stays what it is; the first subscription runs in the context of the
 * observation and ends it: by completing, by failing, or by being unsubscribed. Later subscriptions (`retry`, a second
 * consumer) are not followed.
 */
export function followObservable(result: object, ending: Ending): object | undefined {
  if (!isObservable(result)) return undefined
  const home = homeOf(result, 'subscribe')
  const { subscribe } = result
  if (!home) return undefined
  // The class makes of whatever is passed to `subscribe` a subscriber that handles errors, early ends and teardown as
  // it always does. We watch that one and hand it on.
  const watched = new (home.constructor as ObservableClass)((subscriber) => {
    attempt('watch a subscriber', () => watch(subscriber, ending))
    const subscription = context.with(ending.context, () => subscribe.call(result, subscriber))
    return () => {
      ending.done()
      unsubscribe(subscription)
    }
  })
  const restore = overrideMethod(result, 'subscribe', function (this: unknown, ...args: unknown[]) {
    if (this !== result) return subscribe.apply(this, args)
    restore()
    ending.expect()
    return watched.subscribe(...args)
  })
  ending.expectFrom(result)
  return result
}

interface Observable {
  readonly subscribe: Method
}

/** RxJS's own test: an Observable gives itself to other libraries that ask for one. */
function isObservable(value: object): value is Observable {
  const { subscribe } = value as Partial<Observable>
  if (!isMethod(subscribe)) return false
  const symbol = (Symbol as unknown as Record<string, unknown>).observable
  const keys = [...(typeof symbol === 'symbol' ? [symbol] : []), '@@observable']
  return keys.some((key) => {
    const self: unknown = Reflect.get(value, key)
    return isMethod(self) && self.call(value) === value
  })
}

/** The prototype that has the method itself: that of the class and not of one that extends it. */
function homeOf(value: object, name: string): object | undefined {
  let owner: object | null = Object.getPrototypeOf(value)
  while (owner && !Object.hasOwn(owner, name)) owner = Object.getPrototypeOf(owner)
  return owner ?? undefined
}

function watch(subscriber: Subscriber, ending: Ending): void {
  const { next, error, complete } = subscriber
  overrideMethod(subscriber, 'next', (value: unknown) => {
    ending.hear(value)
    return next.call(subscriber, value)
  })
  overrideMethod(subscriber, 'error', (reason: unknown) => {
    ending.fail(reason)
    return error.call(subscriber, reason)
  })
  overrideMethod(subscriber, 'complete', () => {
    ending.done()
    return complete.call(subscriber)
  })
}

function unsubscribe(subscription: unknown): void {
  if (isMethod(subscription)) subscription()
  else if (typeof subscription === 'object' && subscription !== null) {
    const { unsubscribe: leave } = subscription as { unsubscribe?: unknown }
    if (isMethod(leave)) leave.call(subscription)
  }
}
