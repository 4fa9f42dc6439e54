import type { Attributes, AttributeValue, Context } from '@opentelemetry/api'
import type { DeferredAttributes } from '@svc/core/context'
import type { ReadableSpan, Span } from './sdk.ts'

// Where a span holds its `Started`. A WeakMap of spans would cost more than everything else here, because each garbage
// collection has to scan it.
const STARTED = Symbol('started')

/**
 * The deferred attributes of a span at its start, and where to read later ones. A class, because V8 may allocate
 * long-lived object literals in the old generation, from where one that is no longer needed would retain its request.
 */
class Started {
  readonly context: Context
  readonly deferred: DeferredAttributes
  /** The deferred attributes at the start. While it is the same object, nothing has changed. */
  readonly known: Attributes
  /** What the span processor wrote on the span at its start. */
  readonly stamp: Attributes

  constructor(context: Context, deferred: DeferredAttributes, stamp: Attributes) {
    this.context = context
    this.deferred = deferred
    this.known = deferred.read()
    this.stamp = stamp
  }
}

/** Returns what the span processor would write on a span if it started now in this context. */
type Read = (span: ReadableSpan, context: Context) => Attributes

/**
 * Handles spans of a request whose user and session may become known while they run (`DeferredAttributes` of
 * `@svc/core/context`), for instance by an authentication that runs inside the request. Called by the span processor in
 * `onStart`, `onEnding` and `onEnd`.
 */
export class DeferredSpans {
  readonly #read: Read
  /** Whether a span of such a request has started: before that, `ending` and `rest` have nothing to do. */
  isUsed = false

  constructor(read: Read) {
    this.#read = read
  }

  /** @param stamp what the span processor wrote on the span */
  start(span: ReadableSpan, context: Context, deferred: DeferredAttributes, stamp: Attributes): void {
    this.isUsed = true
    Object.defineProperty(span, STARTED, { value: new Started(context, deferred, stamp), writable: true })
  }

  /**
   * Writes attributes that became known since the start; the span's own attributes stay. Called in `onEnding`, while
   * the span is writable.
   */
  ending(span: Span): void {
    const started = startedOf(span)
    if (started && started.deferred.read() !== started.known) span.setAttributes(this.#newAttributes(span, started))
  }

  /**
   * Returns attributes for an ended span whose request does not know them yet; undefined if everything is known. Never
   * rejects.
   */
  rest(span: ReadableSpan): Promise<Attributes> | undefined {
    const started = startedOf(span)
    if (!started) return undefined
    // The span is queued now, and must not retain its request and socket.
    Object.assign(span, { [STARTED]: undefined })
    return started.deferred.pending()?.then(() => this.#newAttributes(span, started))
  }

  #newAttributes(span: ReadableSpan, { context, stamp }: Started): Attributes {
    const now = Object.entries(this.#read(span, context))
    return Object.fromEntries(now.filter(([name, value]) => isNew(value, span.attributes[name], stamp[name])))
  }
}

function startedOf(span: ReadableSpan): Started | undefined {
  return (span as { readonly [STARTED]?: Started })[STARTED]
}

/** A value that the application set after the start is not replaced: only a missing one, and one that we wrote. */
function isNew(now: AttributeValue | undefined, has: AttributeValue | undefined, stamped: AttributeValue | undefined) {
  return !isSame(now, has) && (has === undefined || isSame(has, stamped))
}

function isSame(one: AttributeValue | undefined, other: AttributeValue | undefined): boolean {
  return one === other || (Array.isArray(one) && Array.isArray(other) && one.join('\n') === other.join('\n'))
}
