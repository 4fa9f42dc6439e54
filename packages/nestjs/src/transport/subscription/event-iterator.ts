import { context } from '@svc/core/api'
import { attempt } from '@svc/core/attempt'
import type { SubscriptionEvent } from './subscription-event.ts'

/** Open subscriptions, by the value that GraphQL passes to all resolvers of an operation. */
const subscriptions = new WeakMap<object, Set<EventIterator>>()

/**
 * The events of a subscription. The work of the source for an event belongs to it. It ends when the next one is
 * wanted: then it was sent.
 */
export class EventIterator implements AsyncIterableIterator<unknown> {
  readonly #source: AsyncIterator<unknown>
  readonly #contextValue: object
  readonly #makeEvent: () => SubscriptionEvent
  #event: SubscriptionEvent | undefined
  /** The payload of the event, until its field is resolved. */
  #payload: { readonly value: unknown } | undefined
  #isWaiting = false
  /** Whether the subscriber has left. */
  #isLeft = false

  /** @returns undefined for what is no source of events */
  static over(source: unknown, contextValue: unknown, makeEvent: () => SubscriptionEvent): EventIterator | undefined {
    if (typeof source !== 'object' || source === null || !(Symbol.asyncIterator in source)) return undefined
    if (typeof contextValue !== 'object' || contextValue === null) return undefined
    const iterator = (source as AsyncIterable<unknown>)[Symbol.asyncIterator]()
    return new EventIterator(iterator, contextValue, makeEvent)
  }

  private constructor(source: AsyncIterator<unknown>, contextValue: object, makeEvent: () => SubscriptionEvent) {
    this.#source = source
    this.#contextValue = contextValue
    this.#makeEvent = makeEvent
    const open = subscriptions.get(contextValue) ?? new Set()
    subscriptions.set(contextValue, open.add(this))
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<unknown>> {
    this.#end()
    const event = attempt('begin an event', this.#makeEvent)
    this.#event = event
    this.#isWaiting = true
    try {
      const next = () => this.#source.next()
      const result = await (event ? context.with(event.scope.context, next) : next())
      if (result.done) this.#finish()
      else this.#payload = { value: result.value }
      return result
    } catch (error) {
      attempt('record an error', () => event?.threw(error))
      this.#finish()
      throw error
    } finally {
      this.#isWaiting = false
    }
  }

  async return(value?: unknown): Promise<IteratorResult<unknown>> {
    this.#leave()
    return (await this.#source.return?.(value)) ?? { done: true, value }
  }

  async throw(error?: unknown): Promise<IteratorResult<unknown>> {
    this.#leave()
    if (this.#source.throw) return await this.#source.throw(error)
    await this.#source.return?.()
    throw error
  }

  /** Returns the event that came with `payload`. Each is taken once. */
  take(payload: unknown): SubscriptionEvent | undefined {
    if (!this.#payload || !Object.is(this.#payload.value, payload)) return undefined
    this.#payload = undefined
    const event = this.#event
    if (event && this.#isLeft) {
      this.#event = undefined
      this.#finish()
      event.isLast = true
    }
    return event
  }

  // GraphQL resolves what a source that was waiting when the listener left still brings.
  #leave(): void {
    this.#isLeft = true
    if (!this.#isWaiting) this.#finish()
  }

  #finish(): void {
    this.#end()
    subscriptions.get(this.#contextValue)?.delete(this)
  }

  #end(): void {
    const event = this.#event
    this.#event = undefined
    this.#payload = undefined
    attempt('end an event', () => event?.end())
  }
}

/** Returns the event that came with `payload`: one connection may have subscribed to the same thing twice. */
export function takeEvent(contextValue: unknown, payload: unknown): SubscriptionEvent | undefined {
  for (const each of subscriptions.get(contextValue as object) ?? []) {
    const event = each.take(payload)
    if (event) return event
  }
  return undefined
}
