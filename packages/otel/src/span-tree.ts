import type { SpanContext } from '@opentelemetry/api'
import { Recent } from './recent.ts'
import type { ReadableSpan } from './sdk.ts'

/** The record of a span created in this process. */
interface Made {
  /** How many had started before. */
  readonly order: number
  readonly context: SpanContext
  /** Whether the filter returned "export" when the span started. */
  readonly expected: boolean
  /** The span until it ends; afterwards nothing here holds it. */
  span: ReadableSpan | undefined
  /** Whether it is exported: decided at its end, or taken for granted once a child was sent under it. */
  kept: boolean | undefined
  /** The record of the parent, if the parent was made here too, and the context that names the parent. */
  parent: Made | undefined
  parentContext: SpanContext | undefined
}

/** Whether a live span would be exported if it ended now. */
export type Wanted = (span: ReadableSpan) => boolean

const CAPACITY = 10_000
// A chain of spans that never end (each the parent of the next) must not be held for ever by its youngest.
const LONGEST_CHAIN = 1_000

/**
 * Tracks parents and dropped spans: for the app-root mark (contract 1.6), and so that no exported span has a dropped
 * parent of this process. Records outlive their span, because children may end later. Bounded: the newest 10,000 open
 * and the newest 10,000 dropped spans are kept, and at most twice as many.
 */
export class SpanTree {
  readonly #live = new Recent<Made>(CAPACITY)
  readonly #dropped = new Recent<Made>(CAPACITY)
  #started = 0

  /** Remembers a span at its start. @returns whether its parent is alive in this process and expected to be exported. */
  start(span: ReadableSpan, expected: boolean): boolean {
    const made = this.#record(span, expected)
    this.#live.set(made.context.spanId, made)
    return made.parent?.span?.ended === false && made.parent.expected && !made.parentContext?.isRemote
  }

  /**
   * Remembers what was decided at a span's end.
   *
   * @returns for a kept span, the parent to deliver it under: the nearest ancestor that is exported or not ours.
   */
  end(span: ReadableSpan, kept: boolean, wanted: Wanted): SpanContext | undefined {
    const made = this.#live.get(span.spanContext().spanId) ?? this.#record(span, kept)
    this.#live.delete(made.context.spanId)
    made.span = undefined
    made.kept = kept
    // An exported span needs no record: an unknown parent stays a parent.
    if (!kept) this.#dropped.set(made.context.spanId, made)
    const parent = kept ? exportedParent(made, wanted) : undefined
    shorten(made)
    return parent
  }

  /**
   * The root of what is exported above `span`, while it is open; undefined for a span that is the root itself, and where
   * something above it is gone already.
   */
  root(span: ReadableSpan, wanted: Wanted): ReadableSpan | undefined {
    let at = this.#live.get(span.spanContext().spanId)
    let root: Made | undefined
    while (at?.parent) {
      at = at.parent
      if (isKept(at, wanted)) root = at
    }
    const above = at?.parentContext
    return above && !above.isRemote ? undefined : root?.span
  }

  /** How many spans had started before this one, which has not ended. */
  order(span: ReadableSpan): number {
    return this.#live.get(span.spanContext().spanId)?.order ?? Number.POSITIVE_INFINITY
  }

  clear(): void {
    this.#live.clear()
    this.#dropped.clear()
  }

  #record(span: ReadableSpan, expected: boolean): Made {
    const parentContext = span.parentSpanContext
    const found = parentContext && (this.#live.get(parentContext.spanId) ?? this.#dropped.get(parentContext.spanId))
    const parent = found && isShort(found) ? found : undefined
    const order = this.#started++
    return { order, context: span.spanContext(), expected, span, kept: undefined, parent, parentContext }
  }
}

function exportedParent(made: Made, wanted: Wanted): SpanContext | undefined {
  let at = made
  while (at.parent && !isKept(at.parent, wanted)) at = at.parent
  return at.parent?.context ?? at.parentContext
}

// An open ancestor is judged by its current attributes. A positive result is stored, because a child has it as parent.
function isKept(made: Made, wanted: Wanted): boolean {
  if (made.kept === undefined && made.span && wanted(made.span)) made.kept = true
  return made.kept === true
}

// The ancestors of an exported span are not needed. A dropped one releases dropped and ended spans above it, so that an
// endless chain of short spans does not accumulate.
function shorten(made: Made): void {
  if (made.kept) made.parent = undefined
  while (made.parent?.kept === false) {
    made.parentContext = made.parent.parentContext
    made.parent = made.parent.parent
  }
}

function isShort(made: Made): boolean {
  let length = 0
  for (let at: Made | undefined = made; at; at = at.parent) if (++length > LONGEST_CHAIN) return false
  return true
}
