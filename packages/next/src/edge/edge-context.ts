import type { Context, ContextManager } from '@opentelemetry/api'
import { ROOT_CONTEXT } from '@svc/core/api'

/** `AsyncLocalStorage` as edge runtimes have it: a global. */
interface Storage {
  getStore(): Context | undefined
  run<R>(store: Context, work: () => R): R
}

/** OpenTelemetry's context on the `AsyncLocalStorage` of an edge runtime. */
export class EdgeContextManager implements ContextManager {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  /** Undefined where the runtime has no such thing. */
  static make(): EdgeContextManager | undefined {
    const { AsyncLocalStorage } = globalThis as { AsyncLocalStorage?: new () => Storage }
    return AsyncLocalStorage && new EdgeContextManager(new AsyncLocalStorage())
  }

  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT
  }

  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    context: Context,
    fn: F,
    thisArg?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.#storage.run(context, () => fn.apply(thisArg, args))
  }

  bind<T>(context: Context, target: T): T {
    if (typeof target !== 'function') return target
    const storage = this.#storage
    return function bound(this: unknown, ...args: unknown[]) {
      return storage.run(context, () => target.apply(this, args))
    } as T
  }

  enable(): this {
    return this
  }

  disable(): this {
    return this
  }
}
