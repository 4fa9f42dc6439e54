import { AsyncResource } from 'node:async_hooks'
import type { Span } from '@opentelemetry/api'
import { ended, watchers } from './watchers.ts'

/** `AsyncLocalStorage.snapshot()` is a function around one of these, which takes six times as long. */
const start = new AsyncResource('SvcStart')

/**
 * Runs a function in the async context of the start of the process. Next's prerendering detects the use of clocks and
 * random numbers by async context, and would respond with 500 for a page in which span ids and times are created.
 */
export function outside<R, Values extends unknown[]>(work: (...values: Values) => R, ...values: Values): R {
  return start.runInAsyncScope(work, undefined, ...values)
}

/** The clock of the process; undefined where it was replaced before this module was loaded. */
const CLOCK = String(Date.now) === 'function now() { [native code] }' ? Date.now : undefined

/**
 * Runs `work`, which reads clocks and makes ids, {@link outside} if clock reads are watched: Next replaces `Date.now` to
 * do so. Otherwise `work` is just called, since entering a context costs more than the work itself.
 */
export function unwatched<R, Values extends unknown[]>(work: (...values: Values) => R, ...values: Values): R {
  return Date.now === CLOCK ? work(...values) : outside(work, ...values)
}

/**
 * Makes a span read clocks {@link unwatched}, and end {@link outside}: processors set timers and open sockets then, which
 * would keep the context of the request. The span stays the same object, and gets no own functions: V8 would move an
 * object with one out of the young generation, and with it the recorded content.
 */
export function shielded(span: Span): Span {
  if (!span.isRecording()) return span
  const plain: Span = Object.getPrototypeOf(span)
  const shield = SHIELDS.get(plain) ?? shieldOf(plain)
  return Object.setPrototypeOf(span, shield)
}

/** Keyed by the prototype that they precede. */
const SHIELDS = new Map<Span, Span>()

function shieldOf(plain: Span): Span {
  const { end, addEvent, recordException } = plain
  const shield: Span = Object.create(plain)
  shield.end = function (this: Span, ...args) {
    outside(() => end.apply(this, args))
    if (watchers.size > 0) ended(this)
  }
  shield.addEvent = function (this: Span, ...args) {
    return unwatched(() => addEvent.apply(this, args))
  }
  shield.recordException = function (this: Span, ...args) {
    unwatched(() => recordException.apply(this, args))
  }
  SHIELDS.set(plain, shield)
  return shield
}
