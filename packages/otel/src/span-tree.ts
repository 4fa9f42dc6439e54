import type { SpanContext, SpanKind } from '@opentelemetry/api'
import { Recent } from './recent.ts'
import type { ReadableSpan } from './sdk.ts'

/** What is remembered of a span that was created in this process. It outlives the span. */
interface SpanRecord {
  /** How many spans had started before this one. */
  readonly order: number
  readonly context: SpanContext
  /** Whether the filter returned "export" when the span started. */
  readonly expected: boolean
  /** The span while it is open; undefined afterwards, so that its content can be released. */
  span: ReadableSpan | undefined
  /** Whether it is exported: decided at its end, or assumed as soon as a child was exported under it. */
  kept: boolean | undefined
  /** Whether a span was exported as its child. */
  isParent?: boolean
  /** Whether it is a request of this process that is served here. */
  readonly isServed: boolean
  /** The record of the parent, if the parent was created in this process too and its record is still kept. */
  parent: SpanRecord | undefined
  /** The parent that the span names; undefined for a root. */
  parentContext: SpanContext | undefined
}

/** A root that is open while a span below it ends. */
export interface OpenRoot {
  readonly span: ReadableSpan
  /** How many spans started before the one below. Not when: calls that start together start in the same millisecond. */
  readonly order: number
}

/** A span that is open while one below it is. */
export interface OpenAbove {
  readonly span: ReadableSpan
  /** Whether it is a request of this process that is served here. */
  readonly isServed: boolean
}

/** Whether a live span would be exported if it ended now. */
export type Wanted = (span: ReadableSpan) => boolean

const SERVER: SpanKind.SERVER = 1
const CAPACITY = 10_000
// A chain of spans that never end (each the parent of the next) must not be retained as a whole by its youngest. The
// parent of a span below a longer chain is treated as unknown.
const LONGEST_CHAIN = 1_000

/**
 * Tracks parents and dropped spans: for the app-root mark (contract 1.6), and so that no exported span has a dropped
 * parent of this process. The span processor calls `start` in `onStart`, and `end` when it processes the ended span.
 * Records outlive their span, because children may end later. Bounded: the records of the newest 10,000 open and the
 * newest 10,000 dropped spans are kept, and at most twice as many.
 */
export class SpanTree {
  readonly #live = new Recent<SpanRecord>(CAPACITY)
  readonly #dropped = new Recent<SpanRecord>(CAPACITY)
  #started = 0
  /** Whether there has been a request of this process that is served here. */
  #servesItself = false

  /**
   * Remembers a span at its start. @returns whether its parent is alive in this process and expected to be exported.
   */
  start(span: ReadableSpan, expected: boolean): boolean {
    const record = this.#createRecord(span, expected)
    this.#live.set(record.context.spanId, record)
    return record.parent?.span?.ended === false && record.parent.expected && !record.parentContext?.isRemote
  }

  /**
   * Remembers what was decided at a span's end.
   *
   * @returns for a kept span, the parent to export it under: its nearest ancestor that is exported or is not known
   * here.
   */
  end(span: ReadableSpan, kept: boolean, wanted: Wanted): SpanContext | undefined {
    const record = this.#live.get(span.spanContext().spanId) ?? this.#createRecord(span, kept)
    this.#live.delete(record.context.spanId)
    record.span = undefined
    record.kept = kept
    if (!kept) {
      this.#dropped.set(record.context.spanId, record)
      shorten(record)
      return undefined
    }
    // An exported span needs neither a record nor its ancestors: an unknown parent stays a parent.
    const { parent, parentContext } = record
    record.parent = undefined
    return parent ? exportedFrom(parent, wanted) : parentContext
  }

  /**
   * Returns the span that an open one is to be exported under, if that is open, too. Undefined for a span that is a parent
   * itself: it has to be exported.
   */
  around(span: ReadableSpan, wanted: Wanted): ReadableSpan | undefined {
    const record = this.#live.get(span.spanContext().spanId)
    let at = record?.isParent ? undefined : record?.parent
    while (at && !isKept(at, wanted)) at = at.parent
    return at?.span
  }

  /**
   * Returns the spans above an open one that are open and to be exported, too, from below; none before this process has
   * served a request of its own.
   */
  above(span: ReadableSpan, wanted: Wanted): OpenAbove[] {
    const found: OpenAbove[] = []
    let at = this.#servesItself ? this.#live.get(span.spanContext().spanId)?.parent : undefined
    for (; at; at = at.parent) if (at.span && isKept(at, wanted)) found.push({ span: at.span, isServed: at.isServed })
    return found
  }

  /**
   * Returns the topmost exported ancestor of `span` if it is still open; undefined if there is none, and if the record
   * of a local ancestor is gone, so that the topmost one is unknown.
   */
  root(span: ReadableSpan, wanted: Wanted): OpenRoot | undefined {
    const record = this.#live.get(span.spanContext().spanId)
    let at = record
    let root: SpanRecord | undefined
    while (at?.parent) {
      at = at.parent
      if (isKept(at, wanted)) root = at
    }
    const above = at?.parentContext
    if (!record || !root?.span || (above && !above.isRemote)) return undefined
    return { span: root.span, order: record.order }
  }

  #createRecord(span: ReadableSpan, expected: boolean): SpanRecord {
    const parentContext = span.parentSpanContext
    const found = parentContext && (this.#live.get(parentContext.spanId) ?? this.#dropped.get(parentContext.spanId))
    const parent = found && isShort(found) ? found : undefined
    const order = this.#started++
    const isServed = parent?.span !== undefined && span.kind === SERVER
    if (isServed) this.#servesItself = true
    return { order, context: span.spanContext(), expected, span, kept: undefined, isServed, parent, parentContext }
  }
}

/** The record's span or its nearest exported ancestor; above the known ones, the parent that the topmost of them names. */
function exportedFrom(record: SpanRecord, wanted: Wanted): SpanContext | undefined {
  let at = record
  while (!isKept(at, wanted)) {
    if (!at.parent) return at.parentContext
    at = at.parent
  }
  at.isParent = true
  return at.context
}

// An open ancestor is judged by its current attributes. A positive result is stored, because a child may be exported
// under it.
function isKept(record: SpanRecord, wanted: Wanted): boolean {
  if (record.kept === undefined && record.span && wanted(record.span)) record.kept = true
  return record.kept === true
}

// A dropped span releases dropped and ended spans above it, so that an endless chain of short spans does not accumulate.
function shorten(record: SpanRecord): void {
  while (record.parent?.kept === false) {
    record.parentContext = record.parent.parentContext
    record.parent = record.parent.parent
  }
}

function isShort(record: SpanRecord): boolean {
  let length = 0
  for (let at: SpanRecord | undefined = record; at; at = at.parent) if (++length > LONGEST_CHAIN) return false
  return true
}
