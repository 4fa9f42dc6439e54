import { randomBytes } from 'node:crypto'
import type { SpanContext } from '@opentelemetry/api'
import type { IdGenerator } from '@opentelemetry/sdk-trace'

/** How many random bytes are written as text at once: to ask for any costs as much as some thousand of them. */
const BYTES = 2_048

/**
 * Generates random ids like the SDK, except that the trace id of the next root can be set: `startSpan` accepts none, and
 * several roots of one HTTP request have to share theirs.
 */
export class TraceIds implements IdGenerator {
  /** Random hexadecimal digits, used up to `#at`. */
  #digits = ''
  #at = 0
  #chosen: string | undefined
  #chosenSpan: string | undefined

  /** Begins anew: a process may be one of many that a snapshot was restored to. */
  renew(): void {
    this.#digits = ''
    this.#at = 0
  }

  generateTraceId(): string {
    return this.#chosen ?? this.#take(32)
  }

  generateSpanId(): string {
    const chosen = this.#chosenSpan
    this.#chosenSpan = undefined
    return chosen ?? this.#take(16)
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

  /** Runs `start`; the span that it starts has these ids, unless its parent is of another trace. */
  as<T>({ traceId, spanId }: SpanContext, start: () => T): T {
    this.#chosenSpan = spanId
    try {
      return this.within(traceId, start)
    } finally {
      this.#chosenSpan = undefined
    }
  }

  #take(length: number): string {
    if (this.#at + length > this.#digits.length) this.#refill()
    const id = this.#digits.slice(this.#at, this.#at + length)
    this.#at += length
    return id
  }

  /** Not from `Math.random`: a program may seed it (`--random-seed`), and each of its runs would have the same ids. */
  #refill(): void {
    this.#digits = randomBytes(BYTES).toString('hex')
    this.#at = 0
  }
}
