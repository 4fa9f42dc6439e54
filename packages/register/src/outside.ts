import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span } from '@opentelemetry/api'

/**
 * Runs something as if no application code had called it: in the async context of the start of the process. Next's
 * prerendering watches for clocks and random numbers by that context, and answers 500 for a page in which it sees our
 * ids and times made.
 */
export const outside: <R>(work: () => R) => R = AsyncLocalStorage.snapshot()

/** Makes what a span does with clocks run {@link outside}. The span stays the same object. */
export function shielded(span: Span): Span {
  if (!span.isRecording()) return span
  const { end, addEvent, recordException } = span
  span.end = (...args) => outside(() => end.apply(span, args))
  span.addEvent = (...args) => outside(() => addEvent.apply(span, args))
  span.recordException = (...args) => outside(() => recordException.apply(span, args))
  return span
}
