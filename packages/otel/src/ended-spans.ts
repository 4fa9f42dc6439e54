import { withTracingSuppressed } from '@svc/core/suppress-tracing'
import { after } from '@svc/core/timers'
import type { ReadableSpan } from './sdk.ts'

/** Longest time that a span waits, in milliseconds. */
export const WAIT_MS = 100
/** Most spans that wait. */
const SPANS = 64
/** Most characters of content that they hold, so that processing them does not block the application. */
const CHARACTERS = 1_000_000
/**
 * Times that spans are processed which ended while others were: the root of an HTTP request ends that way. Not without a
 * limit, because a log of the application may record a span for every line, and so for every span that is processed.
 */
const ROUNDS = 3

/** When a batch is full, and how many milliseconds a span may wait for that. */
export interface BatchLimits {
  readonly spans: number
  readonly waitMs: number
}

/** A span with a known size that cannot change after its end. */
interface MeasuredSpan extends ReadableSpan {
  /** Characters of its attributes; `Infinity` if they are not counted. */
  readonly heldCharacters: number
}

/**
 * Processes ended spans together: running the same code for many spans in a row costs a fraction of running it once per
 * request.
 */
export class EndedSpans {
  readonly #process: (span: ReadableSpan) => void
  readonly #most: number
  readonly #waitMs: number
  /** Runs work outside of the code that ended a span. */
  readonly outside: (work: () => void) => void
  #spans: ReadableSpan[] = []
  /** How many of them are processed already. */
  #processed = 0
  #characters = 0
  #isDraining = false
  #timer: ReturnType<typeof after> | undefined
  /** When the timer is due. One that a fake clock took in never fires. */
  #due = 0

  /**
   * @param batch the limits of a batch; fewer spans than that wait here, and not as long
   * @param outside runs what is done outside of the code that ended a span
   */
  constructor(
    process: (span: ReadableSpan) => void,
    batch: BatchLimits,
    outside: (work: () => void) => void = (work) => work(),
  ) {
    this.outside = outside
    this.#process = process
    this.#most = Math.min(SPANS, batch.spans)
    this.#waitMs = Math.min(WAIT_MS, batch.waitMs / 4)
  }

  /** @returns whether the span is processed with others; false where it has to be processed now */
  add(span: ReadableSpan): boolean {
    const { heldCharacters } = span as MeasuredSpan
    if (!(heldCharacters < CHARACTERS)) return false
    this.#spans.push(span)
    this.#characters += heldCharacters
    if (this.#isDraining) return true
    const isFull = this.#spans.length >= this.#most || this.#characters >= CHARACTERS
    if (isFull || (this.#timer && performance.now() > this.#due)) this.outside(() => this.drain())
    else if (!this.#timer) this.outside(() => this.#arm())
    return true
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
      // The stack is exhausted: what is not processed yet stays.
    }
    // Outside of `finally`, so that nothing that can fail comes before it.
    this.#isDraining = false
    if (this.#spans.length > 0) this.#arm()
  }

  #processAll(): void {
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
