import { type Context, ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api'

// Symbol.for: the flat contexts of other copies of this module are as good.
const FLAT = Symbol.for('svc.flat-context.6')

/** `context` with `span` as the active one, see {@link flatContext}. */
export function withSpan(context: Context, span: Span): Context {
  return trace.setSpan(flatContext(context), span)
}

/**
 * The same context, from which others are made at no lasting cost. One of OpenTelemetry's own is a Map and three
 * closures, and V8 moves them out of the young generation together with all they hold: the span, and whatever was said
 * to a model. On a request or a call of a model this costs more than everything else about a context.
 */
export function flatContext(context: Context): Context {
  return FLAT in context ? context : new FlatContext(context, [], [])
}

/** What was set since `base`, side by side: a chain of contexts would keep those alive whose values are long replaced. */
class FlatContext implements Context {
  readonly #base: Context
  readonly #keys: readonly symbol[]
  readonly #values: readonly unknown[]

  constructor(base: Context, keys: readonly symbol[], values: readonly unknown[]) {
    this.#base = base
    this.#keys = keys
    this.#values = values
  }

  get [FLAT](): true {
    return true
  }

  getValue(key: symbol): unknown {
    const at = this.#keys.indexOf(key)
    return at < 0 ? this.#base.getValue(key) : this.#values[at]
  }

  setValue(key: symbol, value: unknown): Context {
    const at = this.#keys.indexOf(key)
    if (at < 0) return new FlatContext(this.#base, [...this.#keys, key], [...this.#values, value])
    const values = [...this.#values]
    values[at] = value
    return new FlatContext(this.#base, this.#keys, values)
  }

  deleteValue(key: symbol): Context {
    return this.setValue(key, undefined)
  }
}

/** {@link flatContext} without values. */
export const FLAT_ROOT_CONTEXT = flatContext(ROOT_CONTEXT)
