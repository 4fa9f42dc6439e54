import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, type ContextManagementToken, type ContextManager, ROOT_CONTEXT } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { FLAT_ROOT_CONTEXT } from '@svc/core/flat-context'
import { outside } from './outside.ts'

/**
 * Keeps contexts like OpenTelemetry's `AsyncLocalStorageContextManager`, which binds functions and event emitters to them,
 * except that the context without values is flat, and so are all contexts derived from it, by any instrumentation or
 * library. Where the application registers a manager of its own, that one keeps the contexts; this one stays registered
 * in front of it, and only knows the requests that were entered since.
 */
export class FlatContextManager extends AsyncLocalStorageContextManager {
  readonly #storage = new AsyncLocalStorage<Context>()
  #theirs: ContextManager | undefined
  /** For an entered context, that of the application's manager at that moment: as long as it is active, ours is. */
  readonly #entered = new WeakMap<Context, Context>()
  /** The same for what was entered before. */
  #root: Context | undefined

  /** Leaves the contexts to a manager of the application. */
  use(theirs: ContextManager | undefined): void {
    this.#theirs = theirs
    this.#root = theirs && outside(() => theirs.active())
  }

  override active(): Context {
    if (this.#theirs) return this.#activeBeside(this.#theirs)
    const active = this.#storage.getStore()
    return active === undefined || active === ROOT_CONTEXT ? FLAT_ROOT_CONTEXT : active
  }

  override with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    context: Context,
    fn: F,
    thisArg?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    const theirs = this.#theirs
    // Also here, so that what was entered outside is not active inside.
    if (theirs) return this.#storage.run(context, () => theirs.with(context, fn, thisArg, ...args))
    return this.#storage.run(context, thisArg == null ? fn : fn.bind(thisArg), ...args)
  }

  /** Makes `context` the active one for the rest of what runs now. */
  enter(context: Context): void {
    if (this.#theirs) this.#entered.set(context, this.#theirs.active())
    this.#storage.enterWith(context)
  }

  override attach(context: Context): ContextManagementToken {
    if (this.#theirs?.attach) return this.#theirs.attach(context)
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
    this.#theirs?.disable()
    this.#theirs = undefined
    this.#storage.disable()
    return this
  }

  #activeBeside(theirs: ContextManager): Context {
    const ours = this.#storage.getStore()
    const active = theirs.active()
    if (!ours) return active
    return (this.#entered.get(ours) ?? this.#root) === active ? ours : active
  }
}
