import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, type ContextManagementToken, ROOT_CONTEXT } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { FLAT_ROOT_CONTEXT } from '@svc/core/flat-context'

/**
 * Keeps contexts like OpenTelemetry's `AsyncLocalStorageContextManager`, which binds functions and event emitters to them,
 * except that the context without values is flat, and so are all contexts derived from it, by any instrumentation or
 * library.
 */
export class FlatContextManager extends AsyncLocalStorageContextManager {
  readonly #storage = new AsyncLocalStorage<Context>()

  override active(): Context {
    const active = this.#storage.getStore()
    return active === undefined || active === ROOT_CONTEXT ? FLAT_ROOT_CONTEXT : active
  }

  override with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    context: Context,
    fn: F,
    thisArg?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.#storage.run(context, thisArg == null ? fn : fn.bind(thisArg), ...args)
  }

  /** Makes `context` the active one for the rest of what runs now. */
  enter(context: Context): void {
    this.#storage.enterWith(context)
  }

  override attach(context: Context): ContextManagementToken {
    const before = this.#storage.getStore()
    this.#storage.enterWith(context)
    let isOver = false
    const dispose = () => {
      if (!isOver) this.#storage.enterWith(before as Context)
      isOver = true
    }
    return { dispose }
  }

  override disable(): this {
    this.#storage.disable()
    return this
  }
}
