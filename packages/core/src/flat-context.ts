import { type Context, createContextKey, ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api'
import * as SLOTS from './slots.ts'

// `Symbol.for`, because the flat contexts of other copies of this module will do, too.
const FLAT = Symbol.for(SLOTS.FLAT_CONTEXT)

/** Returns a {@link flatContext} with `span` as the active span, and with a value if there is a `key`. */
export function withSpan(context: Context, span: Span, key?: symbol, value?: unknown): Context {
  const flat = context instanceof FlatContext ? context : flatContext(context)
  if (flat instanceof FlatContext) return flat.withSpan(span, key, value)
  const within = trace.setSpan(flat, span)
  return key ? within.setValue(key, value) : within
}

// What `trace.setSpan` sets.
const SPAN = createContextKey('OpenTelemetry Context Key SPAN')

/**
 * Returns an equivalent context whose derived contexts are cheap. OpenTelemetry's own consist of a Map and three
 * closures, which V8 promotes out of the young generation together with the span and the content of a model call. That
 * promotion costs more than all other work on contexts.
 */
export function flatContext(context: Context): Context {
  return FLAT in context ? context : new FlatContext(context, context.getValue(SPAN), [])
}

/**
 * The span, which most contexts differ in, and the other values set since `base`, in a list: a chain of contexts would
 * keep replaced values alive. The fields are private, because Node 22 writes the context on timers and sockets: what
 * prints or copies those must not walk into our objects.
 */
class FlatContext implements Context {
  readonly #base: Context
  readonly #span: unknown
  /** Key, value, key, value, … One list, because each costs an allocation for every value that is set. */
  readonly #entries: readonly unknown[]

  constructor(base: Context, span: unknown, entries: readonly unknown[]) {
    this.#base = base
    this.#span = span
    this.#entries = entries
  }

  get [FLAT](): true {
    return true
  }

  getValue(key: symbol): unknown {
    if (key === SPAN) return this.#span
    const entries = this.#entries
    for (let at = 0; at < entries.length; at += 2) if (entries[at] === key) return entries[at + 1]
    return this.#base === ROOT_CONTEXT ? undefined : this.#base.getValue(key)
  }

  withSpan(span: unknown, key?: symbol, value?: unknown): FlatContext {
    if (key) return new FlatContext(this.#base, span, withEntry(this.#entries, key, value))
    return span === this.#span ? this : new FlatContext(this.#base, span, this.#entries)
  }

  setValue(key: symbol, value: unknown): Context {
    if (key === SPAN) return this.withSpan(value)
    return new FlatContext(this.#base, this.#span, withEntry(this.#entries, key, value))
  }

  deleteValue(key: symbol): Context {
    return this.setValue(key, undefined)
  }
}

function withEntry(entries: readonly unknown[], key: symbol, value: unknown): readonly unknown[] {
  const { length } = entries
  let at = 0
  while (at < length && entries[at] !== key) at += 2
  // Without the room to grow that a list gets that is copied by `...`, and at a quarter of the price of `concat`.
  const changed = new Array<unknown>(Math.max(length, at + 2))
  for (let each = 0; each < length; each++) changed[each] = entries[each]
  changed[at] = key
  changed[at + 1] = value
  return changed
}

/** {@link flatContext} without values. */
export const FLAT_ROOT_CONTEXT = /* @__PURE__ */ flatContext(ROOT_CONTEXT)
