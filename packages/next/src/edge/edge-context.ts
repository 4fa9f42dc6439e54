import type { Context, ContextManager } from '@opentelemetry/api'
import { ROOT_CONTEXT } from '@svc/core/api'

/** `AsyncLocalStorage` as edge runtimes have it: a global. */
type Storage = new () => {
  getStore(): Context | undefined
  run<R>(store: Context, work: () => R): R
}

/**
 * OpenTelemetry's context on the `AsyncLocalStorage` of an edge runtime; undefined where the runtime has no such thing.
 */
export function edgeContextManager(
  Storage = (globalThis as { AsyncLocalStorage?: Storage }).AsyncLocalStorage,
): ContextManager | undefined {
  if (!Storage) return undefined
  const storage = new Storage()
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (context, fn, thisArg, ...args) => storage.run(context, () => fn.apply(thisArg as never, args)),
    bind<T>(context: Context, target: T): T {
      if (typeof target !== 'function') return target
      return function bound(this: unknown, ...args: unknown[]) {
        return storage.run(context, () => target.apply(this, args))
      } as T
    },
    enable: () => manager,
    disable: () => manager,
  }
  return manager
}
