import { withTracingSuppressed } from '@svc/core/suppress-tracing'
import { after } from '@svc/core/timers'
import type { ReadableSpan } from './sdk.ts'

/** Longest time that an ended span waits to be processed, in milliseconds. */
export const WAIT_MS = 100
/** Most spans that wait. */
const SPANS = 64
/** Most characters of content that waiting spans hold, so that processing them does not block the application. */
const CHARACTERS = 1_000_000
/** How many times as much waits while it cannot be processed. */
const BACKLOG = 10
/**
 * Most rounds of one drain. Each round takes the spans that ended while the round before was processed: the root of an
 * HTTP request ends when a span inside it is exported. Limited, because an application's logger may record a span for
 * every line, and thus for every span that is processed; what is left waits for the timer.
 */
const ROUNDS = 3

/** The limits of an export batch: when it is full, and how many milliseconds a span may wait for that. */
export interface BatchLimits {
  readonly spans: number
  readonly waitMs: number
}

/** A span of our own class (`lean-span.ts`), which cannot change after its end. Spans of the SDK have no size. */
interface MeasuredSpan extends ReadableSpan {
  /** Characters of its attributes; `Infinity` if they are not counted. */
  readonly heldCharacters: number
}

/**
 * Processes ended spans together: running the same code for many spans in a row costs a fraction of running it once per
 * request. The span processor adds each span in `onEnd`. The waiting spans are processed when there are enough of them,
 * when the first has waited long enough, and before a flush or the end of the process.
 */
export class EndedSpans {
  readonly #process: (span: ReadableSpan) => void
  readonly #before: () => void
  readonly #most: number
  readonly #waitMs: number
  /** Runs work outside of the code that ended a span. */
  readonly outside: (work: () => void) => void
  #spans: ReadableSpan[] = []
  /** How many of `#spans` are processed. Outside of a drain it is 0, unless a drain was interrupted. */
  #processed = 0
  /** Characters that `#spans` hold. */
  #characters = 0
  #isDraining = false
  #timer: ReturnType<typeof after> | undefined
  /** When the timer is due. Under a fake clock it may never fire, so the first span after this time drains instead. */
  #due = 0

  /**
   * @param process processes one span; must not throw
   * @param batch the limits of the export batch; fewer spans than that wait here, and not as long
   * @param outside runs work outside of the code that ended a span. Default: calls it
   * @param before called before spans are processed together. While it throws, they wait for the timer
   */
  constructor(
    process: (span: ReadableSpan) => void,
    batch: BatchLimits,
    outside: (work: () => void) => void = (work) => work(),
    before: () => void = () => {},
  ) {
    this.#before = before
    this.outside = outside
    this.#process = process
    this.#most = Math.min(SPANS, batch.spans)
    this.#waitMs = Math.min(WAIT_MS, batch.waitMs / 4)
  }

  /** @returns whether the span was taken; if false, the caller has to process it now */
  add(span: ReadableSpan): boolean {
    const { heldCharacters } = span as MeasuredSpan
    // Also true for `undefined`: a span of the SDK.
    if (!(heldCharacters < CHARACTERS)) return false
    if (!this.#isDraining && this.#isBacklogFull) return false
    this.#spans.push(span)
    this.#characters += heldCharacters
    if (this.#isDraining) return true
    const isFull = this.#spans.length >= this.#most || this.#characters >= CHARACTERS
    if (isFull || (this.#timer && performance.now() > this.#due)) this.outside(() => this.drain())
    else if (!this.#timer) this.outside(() => this.#arm())
    return true
  }

  get #isBacklogFull(): boolean {
    return this.#spans.length >= BACKLOG * SPANS || this.#characters >= BACKLOG * CHARACTERS
  }

  /** Processes all waiting spans, in the order in which they ended. */
  drain(): void {
    if (this.#isDraining || this.#spans.length === 0) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isDraining = true
    try {
      withTracingSuppressed(() => this.#processAll())
    } catch {
      // The stack is exhausted, or what sends them cannot be loaded: what is not processed yet waits for the timer.
    }
    // Not in `finally`, so that no call that may fail for want of stack comes before it.
    this.#isDraining = false
    if (this.#spans.length > 0) this.#arm()
  }

  #processAll(): void {
    this.#before()
    for (let round = 0; round < ROUNDS; round++) {
      for (const { length } = this.#spans; this.#processed < length; this.#processed++) {
        this.#process(this.#spans[this.#processed] as ReadableSpan)
      }
      if (this.#processed === this.#spans.length) break
    }
    this.#spans = this.#spans.slice(this.#processed)
    this.#processed = 0
    this.#characters = 0
  }

  #arm(): void {
    this.#due = performance.now() + this.#waitMs
    this.#timer = withTracingSuppressed(() => after(this.#waitMs, () => this.drain()))
  }
}
