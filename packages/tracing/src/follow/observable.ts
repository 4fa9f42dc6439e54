import { context } from '@svc/core/api'
import { attempt } from '@svc/core/attempt'
import { isMethod, type Method, overrideMethod } from '@svc/core/override-method'
import type { Ending } from '../ending.ts'

/** The part of RxJS's Subscriber and Observable that is used here. */
type Subscriber = { next: Method; error: Method; complete: Method }
type ObservableClass = new (subscribe: (subscriber: Subscriber) => unknown) => { subscribe: Method }

/**
 * Follows an RxJS Observable without replacing it. The first subscription runs in the context of the observation and
 * ends it when it completes, fails or is unsubscribed. Later subscriptions (`retry`, a second consumer) are not
 * followed.
 */
export function followObservable(result: object, ending: Ending): object | undefined {
  if (!isObservable(result)) return undefined
  const home = homeOf(result, 'subscribe')
  const { subscribe } = result
  if (!home) return undefined
  // The class turns the argument of `subscribe` into a Subscriber, which handles errors, early ends and teardown. We
  // observe that Subscriber and pass it on.
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

/** RxJS's own test: the interop method of an Observable returns the Observable itself. */
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

/** Returns the prototype that defines the method: that of the base class, not of one that extends it. */
function homeOf(value: object, name: string): object | undefined {
  let owner: object | null = Object.getPrototypeOf(value)
  while (owner && !Object.hasOwn(owner, name)) owner = Object.getPrototypeOf(owner)
  return owner ?? undefined
}

function watch(subscriber: Subscriber, ending: Ending): void {
  const { next, error, complete } = subscriber
  overrideMethod(subscriber, 'next', (value: unknown) => {
    ending.onChunk(value)
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
