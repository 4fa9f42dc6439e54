import { type Context, createContextKey, ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api'

// `Symbol.for`, because the flat contexts of other copies of this module will do, too.
const FLAT = Symbol.for('svc.flat-context.6')

/** Returns a {@link flatContext} with `span` as the active span. */
export function withSpan(context: Context, span: Span): Context {
  const flat = flatContext(context)
  return flat instanceof FlatContext ? flat.withSpan(span) : trace.setSpan(flat, span)
}

// What `trace.setSpan` sets.
const SPAN = createContextKey('OpenTelemetry Context Key SPAN')

/**
 * Returns an equivalent context whose derived contexts are cheap. OpenTelemetry's own consist of a Map and three
 * closures, which V8 promotes out of the young generation together with the span and the content of a model call. That
 * promotion costs more than all other work on contexts.
 */
export function flatContext(context: Context): Context {
  return FLAT in context ? context : new FlatContext(context, context.getValue(SPAN), [], [])
}

/**
 * The span, which most contexts differ in, and the other values set since `base`, in one list: a chain of contexts would
 * keep replaced values alive.
 */
class FlatContext implements Context {
  readonly #base: Context
  readonly #span: unknown
  readonly #keys: readonly symbol[]
  readonly #values: readonly unknown[]

  constructor(base: Context, span: unknown, keys: readonly symbol[], values: readonly unknown[]) {
    this.#base = base
    this.#span = span
    this.#keys = keys
    this.#values = values
  }

  get [FLAT](): true {
    return true
  }

  getValue(key: symbol): unknown {
    if (key === SPAN) return this.#span
    const index = this.#keys.indexOf(key)
    if (index >= 0) return this.#values[index]
    return this.#base === ROOT_CONTEXT ? undefined : this.#base.getValue(key)
  }

  withSpan(span: unknown): FlatContext {
    return new FlatContext(this.#base, span, this.#keys, this.#values)
  }

  setValue(key: symbol, value: unknown): Context {
    if (key === SPAN) return this.withSpan(value)
    const index = this.#keys.indexOf(key)
    if (index < 0) return new FlatContext(this.#base, this.#span, [...this.#keys, key], [...this.#values, value])
    const values = [...this.#values]
    values[index] = value
    return new FlatContext(this.#base, this.#span, this.#keys, values)
  }

  deleteValue(key: symbol): Context {
    return this.setValue(key, undefined)
  }
}

/** {@link flatContext} without values. */
export const FLAT_ROOT_CONTEXT = flatContext(ROOT_CONTEXT)
