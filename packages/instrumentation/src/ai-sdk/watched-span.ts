import type { Attributes, Exception, Span, SpanStatus, TimeInput } from '@opentelemetry/api'
import * as SLOTS from '@svc/core/slots'
import { isObject } from '../gen-ai/read.ts'

/** Receives the method calls on a span instead of the span. */
export interface Watcher {
  recordException(exception: Exception, at: TimeInput | undefined): void
  setStatus(status: SpanStatus): void
  setAttributes(attributes: Attributes): void
  addEvent(event: Parameters<Span['addEvent']>): void
  end(at: TimeInput | undefined): void
}

export type SpanMethods = Pick<Span, keyof Watcher>

// On the span itself: V8 moves the values of a WeakMap out of the young generation, with the content of the call.
const WATCHER = Symbol.for(SLOTS.AI_SPAN)

interface WatchedSpan extends Span {
  [WATCHER]?: Watcher
}

/** Replaces the methods of a span, which stays the same object. Returns the original methods. */
export function watch(span: Span, watcher: Watcher): SpanMethods {
  const { recordException, setStatus, setAttributes, addEvent, end } = span
  Object.assign(span, WATCHED, { [WATCHER]: watcher })
  return { recordException, setStatus, setAttributes, addEvent, end }
}

/** Sets what {@link watcherOf} returns; the span keeps its methods. */
export function mark(span: Span, watcher: Watcher): void {
  const marked: WatchedSpan = span
  marked[WATCHER] = watcher
}

/** The same for a span that is not ours: nobody who prints it sees it. */
export function markHidden(span: Span, watcher: Watcher): void {
  Object.defineProperty(span, WATCHER, { value: watcher, configurable: true })
}

/** @param span a span, or the proxy of one */
export function watcherOf(span: unknown): Watcher | undefined {
  return isObject(span) ? (span as unknown as WatchedSpan)[WATCHER] : undefined
}

/** The same functions for all spans: V8 would move functions made for each span out of the young generation. */
const WATCHED: SpanMethods & ThisType<WatchedSpan> = {
  recordException(exception, at) {
    this[WATCHER]?.recordException(exception, at)
  },
  setStatus(status) {
    this[WATCHER]?.setStatus(status)
    return this
  },
  setAttributes(attributes) {
    this[WATCHER]?.setAttributes(attributes)
    return this
  },
  addEvent(...event) {
    this[WATCHER]?.addEvent(event)
    return this
  },
  end(at) {
    this[WATCHER]?.end(at)
  },
}
