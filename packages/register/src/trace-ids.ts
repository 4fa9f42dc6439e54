import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace'

/**
 * Generates ids like the SDK, except that the trace id of the next root can be set: `startSpan` accepts none, and
 * several roots of one HTTP request have to share theirs.
 */
export class TraceIds implements IdGenerator {
  readonly #random = new RandomIdGenerator()
  #chosen: string | undefined

  generateTraceId(): string {
    return this.#chosen ?? this.#random.generateTraceId()
  }

  generateSpanId(): string {
    return this.#random.generateSpanId()
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
}
