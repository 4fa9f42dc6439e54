import type { Context, ContextManager } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'

/** Binds functions and event emitters to contexts of `manager`. */
export function contextBinding(manager: ContextManager): Pick<ContextManager, 'bind'> {
  return new ContextBinding(manager)
}

/** OpenTelemetry's implementation, which runs bound functions with another manager. */
class ContextBinding extends AsyncLocalStorageContextManager {
  readonly #manager: ContextManager

  constructor(manager: ContextManager) {
    super()
    this.#manager = manager
  }

  override with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    context: Context,
    fn: F,
    thisArg?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.#manager.with(context, fn, thisArg, ...args)
  }
}
