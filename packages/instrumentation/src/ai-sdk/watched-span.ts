import type { Attributes, Exception, Span, SpanStatus, TimeInput } from '@opentelemetry/api'
import { isObject } from '../gen-ai/read.ts'

/** Is told what is said to a span, in the place of the span. */
export interface Watcher {
  recordException(exception: Exception, at: TimeInput | undefined): void
  setStatus(status: SpanStatus): void
  setAttributes(attributes: Attributes): void
  addEvent(event: Parameters<Span['addEvent']>): void
  end(at: TimeInput | undefined): void
}

/** What a span does without a watcher. */
export type SpanMethods = Pick<Span, keyof Watcher>

// On the span itself: V8 moves the values of a WeakMap out of the young generation, with all that was said to a model.
const WATCHER = Symbol.for('svc.ai-span.6')

interface WatchedSpan extends Span {
  [WATCHER]?: Watcher
}

/** The span stays the object it is. What it does without `watcher` comes back. */
export function watch(span: Span, watcher: Watcher): SpanMethods {
  const { recordException, setStatus, setAttributes, addEvent, end } = span
  Object.assign(span, WATCHED, { [WATCHER]: watcher })
  return { recordException, setStatus, setAttributes, addEvent, end }
}

/** Makes `watcher` known to {@link watcherOf} alone: the span keeps its methods. */
export function mark(span: Span, watcher: Watcher): void {
  const marked: WatchedSpan = span
  marked[WATCHER] = watcher
}

/** @param span or the stand-in of one */
export function watcherOf(span: unknown): Watcher | undefined {
  return isObject(span) ? (span as unknown as WatchedSpan)[WATCHER] : undefined
}

/** The same for all spans: functions that are made for one leave the young generation just so. */
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
