import { isSpanContextValid, type Span, type SpanContext } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import type { BesideSpans } from '@svc/core/registry'

/** Spans of the application in whose place ours are recorded, with the same ids. */
export class SpansBeside {
  readonly #ours = new WeakMap<object, Span>()
  #isStarting = false

  /** @param ours starts ours. Not called where theirs has no trace */
  start(theirs: () => Span, ours: (theirs: SpanContext) => Span | undefined): BesideSpans {
    this.#isStarting = true
    try {
      const span = theirs()
      const spanContext = span.spanContext()
      const beside = isSpanContextValid(spanContext)
        ? attempt('record a span of the application', ours, spanContext)
        : undefined
      if (beside) this.#ours.set(span, beside)
      return { theirs: span, ours: beside }
    } finally {
      this.#isStarting = false
    }
  }

  /** Whether the span that the application just starts is one of them. */
  take(): boolean {
    const isStarting = this.#isStarting
    this.#isStarting = false
    return isStarting
  }

  /** Returns ours for a span of the application. */
  of(span: object): Span | undefined {
    return this.#ours.get(span)
  }
}
