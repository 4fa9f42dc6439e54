import { EventEmitter } from 'node:events'
import type { Context } from '@opentelemetry/api'
import { REQUEST } from '@svc/core/muted-span'
import type { FlatContextManager } from './flat-context-manager.ts'
import type { OpenedRequest } from './http-root/served.ts'

type Emit = (this: EventEmitter, ...args: Parameters<EventEmitter['emit']>) => boolean
type Emitter = EventEmitter & { [FOLLOWED]?: FollowedRequest | undefined }

const FOLLOWED = Symbol('followed request')
/** Without listeners it does nothing. Somebody may have replaced it since. */
const { emit: NODES_OWN } = EventEmitter.prototype

/**
 * Has the events of a request emitted within its context. Since Node 24 they (`data`, `end`, `close`) come in the context
 * the connection was made in. What is emitted from inside the request keeps the context it is emitted in.
 *
 * The emitters hold it, so its fields are private: what prints or copies a request must not walk into our objects.
 */
export class FollowedRequest {
  readonly #manager: FlatContextManager
  readonly #context: Context
  readonly #response: EventEmitter
  readonly #opened: OpenedRequest | undefined

  /** @param response what is closed when all is over, which `opened` is told */
  constructor(manager: FlatContextManager, context: Context, response: EventEmitter, opened?: OpenedRequest) {
    this.#manager = manager
    this.#context = context
    this.#response = response
    this.#opened = opened
    this.follow(response)
  }

  follow(emitter: Emitter): void {
    const prototype: Emitter | null = Object.getPrototypeOf(emitter)
    // No class of emitters: something that only looks like a request.
    if (typeof prototype?.emit !== 'function') return
    if (!(FOLLOWED in prototype)) replaceEmit(prototype)
    emitter[FOLLOWED] = this
  }

  /** Called when an emitter is closed: with the response, all is over. */
  close(emitter: EventEmitter): void {
    if (emitter === this.#response) this.#opened?.done()
  }

  emit(emitter: EventEmitter, emit: Emit, args: Parameters<Emit>): boolean {
    const isInside = this.#manager.active().getValue(REQUEST) === this.#context.getValue(REQUEST)
    if (isInside) return Reflect.apply(emit, emitter, args)
    return this.#manager.with(this.#context, () => Reflect.apply(emit, emitter, args))
  }
}

/** On the class, once: a method of its own would give each request a shape of its own. */
function replaceEmit(prototype: Emitter): void {
  const own = Object.hasOwn(prototype, 'emit') ? prototype.emit : undefined
  const parent: EventEmitter = Object.getPrototypeOf(prototype)
  const value: Emit = function (this: Emitter, ...args) {
    const emit = own ?? parent.emit
    const followed = this[FOLLOWED]
    if (!followed) return Reflect.apply(emit, this, args)
    const event = args[0]
    if (event === 'close') followed.close(this)
    // Without listeners nothing runs that needs a context. (Error monitors do not count as listeners of `error`.)
    if (event === 'error' || this.listenerCount(event) > 0) return followed.emit(this, emit, args)
    return emit !== NODES_OWN && Reflect.apply(emit, this, args)
  }
  Object.defineProperty(prototype, 'emit', { value, writable: true, configurable: true })
  Object.defineProperty(prototype, FOLLOWED, { value: undefined, writable: true })
}
