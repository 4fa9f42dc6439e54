import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, type ContextManagementToken, type ContextManager, ROOT_CONTEXT } from '@opentelemetry/api'
import { FLAT_ROOT_CONTEXT } from '@svc/core/flat-context'

/**
 * Keeps contexts like OpenTelemetry's `AsyncLocalStorageContextManager`, except that the context without values is
 * flat, and so are all contexts derived from it, by any instrumentation or library.
 */
export class FlatContextManager implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>()
  readonly #bindingOf: (manager: ContextManager) => Pick<ContextManager, 'bind'>
  #binding: Pick<ContextManager, 'bind'> | undefined

  /** @param bindingOf makes what binds to contexts, with the first binding */
  constructor(bindingOf: (manager: ContextManager) => Pick<ContextManager, 'bind'>) {
    this.#bindingOf = bindingOf
  }

  active(): Context {
    const active = this.#storage.getStore()
    return active === undefined || active === ROOT_CONTEXT ? FLAT_ROOT_CONTEXT : active
  }

  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    context: Context,
    fn: F,
    thisArg?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.#storage.run(context, thisArg == null ? fn : fn.bind(thisArg), ...args)
  }

  /** Functions and event emitters are bound by OpenTelemetry's own manager, which is loaded on first use. */
  bind<T>(context: Context, target: T): T {
    this.#binding ??= this.#bindingOf(this)
    return this.#binding.bind(context, target)
  }

  /** Makes `context` the active one for the rest of what runs now. */
  enter(context: Context): void {
    this.#storage.enterWith(context)
  }

  attach(context: Context): ContextManagementToken {
    const before = this.#storage.getStore()
    this.#storage.enterWith(context)
    let isOver = false
    const dispose = () => {
      if (!isOver) this.#storage.enterWith(before as Context)
      isOver = true
    }
    return { dispose }
  }

  enable(): this {
    return this
  }

  disable(): this {
    this.#storage.disable()
    return this
  }
}
