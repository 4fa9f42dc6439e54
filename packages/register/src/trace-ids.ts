import { randomFillSync } from 'node:crypto'
import type { IdGenerator } from '@opentelemetry/sdk-trace'

/** How many random numbers of 32 bits are written as text at once: that costs as much for one id as for 32 span ids. */
const NUMBERS = 64

/**
 * Generates random ids like the SDK, except that the trace id of the next root can be set: `startSpan` accepts none, and
 * several roots of one HTTP request have to share theirs.
 */
export class TraceIds implements IdGenerator {
  readonly #numbers = new Uint32Array(NUMBERS)
  /**
   * Of the generator. Not from `Math.random`: a program may seed it (`--random-seed`), and each of its runs would have
   * the same ids.
   */
  readonly #state = new Uint32Array(4)
  /** Random hexadecimal digits, used up to `#at`. */
  #digits = ''
  #at = 0
  #chosen: string | undefined

  constructor() {
    this.renew()
  }

  /** Begins anew: a process may be one of many that a snapshot was restored to. */
  renew(): void {
    randomFillSync(this.#state)
    // The first numbers still resemble what it began with.
    this.#generate()
    this.#digits = ''
    this.#at = 0
  }

  generateTraceId(): string {
    return this.#chosen ?? this.#take(32)
  }

  generateSpanId(): string {
    return this.#take(16)
  }

  /** Runs `start`; a root started inside it belongs to `traceId`. */
  within<T>(traceId: string, start: () => T): T {
    this.#chosen = traceId
    try {
      return start()
    } finally {
      this.#chosen = undefined
    }
  }

  #take(length: number): string {
    if (this.#at + length > this.#digits.length) this.#refill()
    const id = this.#digits.slice(this.#at, this.#at + length)
    this.#at += length
    return id
  }

  #refill(): void {
    this.#generate()
    this.#digits = Buffer.from(this.#numbers.buffer).toString('hex')
    this.#at = 0
  }

  /** By `sfc32`, because Next watches each call of `Math.random`. */
  #generate(): void {
    let [a, b, c, count] = this.#state as unknown as [number, number, number, number]
    for (let at = 0; at < NUMBERS; at++) {
      const number = (a + b + count) | 0
      count = (count + 1) | 0
      a = b ^ (b >>> 9)
      b = (c + (c << 3)) | 0
      c = (((c << 21) | (c >>> 11)) + number) | 0
      // Never 0: an id of zeros only is invalid.
      this.#numbers[at] = number || 1
    }
    this.#state.set([a, b, c, count])
  }
}
