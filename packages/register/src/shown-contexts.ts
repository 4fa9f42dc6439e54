import { type Context, type ContextManager, createContextKey, type Span } from '@opentelemetry/api'
import { BEHIND, behind } from '@svc/core/shown'

// What `trace.setSpan` sets.
const SPAN = createContextKey('OpenTelemetry Context Key SPAN')

/**
 * The contexts that the application sees, whose manager is behind this one. An application with a provider of its own
 * writes on the active span, and tells others its id: that has to be a span of its provider, not one of ours.
 */
export class ShownContexts implements ContextManager {
  readonly [BEHIND]: ContextManager
  readonly #show: (context: Context) => Context

  /** @param show returns what the application sees of a context */
  constructor(manager: ContextManager, show: (context: Context) => Context) {
    this[BEHIND] = manager
    this.#show = show
  }

  active(): Context {
    return this.#show(this[BEHIND].active())
  }

  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    context: Context,
    fn: F,
    thisArg?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this[BEHIND].with(behind(context), fn, thisArg, ...args)
  }

  bind<T>(context: Context, target: T): T {
    return this[BEHIND].bind(behind(context), target)
  }

  attach(context: Context): ReturnType<NonNullable<ContextManager['attach']>> {
    return (this[BEHIND] as Required<ContextManager>).attach(behind(context))
  }

  enable(): this {
    return this
  }

  disable(): this {
    this[BEHIND].disable()
    return this
  }
}

/** A context in which a span of ours is active, as the application sees it: in its own span. */
export class ShownContext implements Context {
  readonly [BEHIND]: Context
  readonly #span: Span | undefined

  constructor(context: Context, span: Span | undefined) {
    this[BEHIND] = context
    this.#span = span
  }

  getValue(key: symbol): unknown {
    return key === SPAN ? this.#span : this[BEHIND].getValue(key)
  }

  setValue(key: symbol, value: unknown): Context {
    if (key !== SPAN) return new ShownContext(this[BEHIND].setValue(key, value), this.#span)
    return value === this.#span ? this : this[BEHIND].setValue(SPAN, value)
  }

  deleteValue(key: symbol): Context {
    return this.setValue(key, undefined)
  }
}
