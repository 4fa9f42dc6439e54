import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span } from '@opentelemetry/api'
import { ended } from './watchers.ts'

/**
 * Runs something as if no application code had called it: in the async context of the start of the process. Next's
 * prerendering watches for clocks and random numbers by that context, and answers 500 for a page in which it sees our
 * ids and times made.
 */
export const outside: <R, Values extends unknown[]>(work: (...values: Values) => R, ...values: Values) => R =
  AsyncLocalStorage.snapshot()

/**
 * Makes what a span does with clocks run {@link outside}. The span stays the same object, and gets no functions of its
 * own: V8 moves what holds one out of the young generation, and with it all that was said to a model.
 */
export function shielded(span: Span): Span {
  if (!span.isRecording()) return span
  const plain: Span = Object.getPrototypeOf(span)
  const shield = SHIELDS.get(plain) ?? shieldOf(plain)
  return Object.setPrototypeOf(span, shield)
}

/** By the prototype that they stand in front of. */
const SHIELDS = new Map<Span, Span>()

function shieldOf(plain: Span): Span {
  const { end, addEvent, recordException } = plain
  const shield: Span = Object.create(plain)
  shield.end = function (this: Span, ...args) {
    outside(() => end.apply(this, args))
    ended(this)
  }
  shield.addEvent = function (this: Span, ...args) {
    return outside(() => addEvent.apply(this, args))
  }
  shield.recordException = function (this: Span, ...args) {
    outside(() => recordException.apply(this, args))
  }
  SHIELDS.set(plain, shield)
  return shield
}
