import { type Context, type Exception, type Span, type SpanStatus, type TimeInput, trace } from '@opentelemetry/api'
import { forget, type OpenCall, remember } from '@svc/core/open-calls'
import { type Outcome, outcomeAttributes } from '../calls/outcome.ts'

const opened = new WeakMap<Span, OpenSpan>()

/**
 * Has a span of the AI SDK end however its call does: the SDK itself ends none of a stream that nobody reads to its end,
 * and takes a call for failed that the application gave up. The span stays the object it is.
 *
 * @param parent the context it was started in
 */
export function keepTrack(span: Span, parent: Context): void {
  if (!span.isRecording()) return
  const above = trace.getSpan(parent)
  opened.set(span, new OpenSpan(span, above && opened.get(above)))
}

/** @param span or a stand-in, see {@link standFor} */
export function openSpanOf(span: unknown): OpenSpan | undefined {
  return opened.get(span as Span)
}

/** Has a stand-in of a span be known as the span. */
export function standFor(standIn: Span, open: OpenSpan): void {
  opened.set(standIn, open)
}

let endingAs: Outcome | undefined

/** Spans that end while `work` runs end with `outcome`. */
export function withOutcome<T>(outcome: Outcome, work: () => T): T {
  const before = endingAs
  endingAs = outcome
  try {
    return work()
  } finally {
    endingAs = before
  }
}

export class OpenSpan implements OpenCall {
  readonly #span: Span
  readonly #above: OpenSpan | undefined
  readonly #below = new Set<OpenSpan>()
  readonly #finish: (at?: TimeInput) => void
  #lastSign = performance.now()
  #cancelled = false
  #ended = false

  constructor(span: Span, above: OpenSpan | undefined) {
    this.#span = span
    this.#above = above
    if (above) above.#below.add(this)
    this.#sign()
    const { recordException, setStatus, addEvent, end } = span
    this.#finish = (at) => Reflect.apply(end, span, [at])
    span.recordException = (exception, at) => {
      this.#cancelled ||= isAbort(exception)
      if (!this.#cancelled) Reflect.apply(recordException, span, [exception, at])
    }
    span.setStatus = (status: SpanStatus) => {
      if (!this.#cancelled) Reflect.apply(setStatus, span, [status])
      return span
    }
    span.addEvent = (...event: Parameters<Span['addEvent']>) => {
      this.#sign()
      return Reflect.apply(addEvent, span, event) as Span
    }
    span.end = (at) => this.#end(this.#cancelled ? 'cancelled' : endingAs, at)
    remember(this)
  }

  cancel(): void {
    this.#endAll('cancelled')
  }

  abandon(): void {
    this.#endAll('abandoned')
  }

  cutShort(): void {
    this.#endAll('unfinished')
  }

  /** What lies below ends first. */
  #endAll(outcome: Outcome): void {
    for (const each of [...this.#below]) each.#endAll(outcome)
    this.#end(outcome)
  }

  #end(outcome: Outcome | undefined, at?: TimeInput): void {
    if (this.#ended) return
    this.#ended = true
    forget(this)
    if (this.#above) this.#above.#below.delete(this)
    if (outcome) this.#span.setAttributes(outcomeAttributes(outcome))
    else this.#sign()
    // What is abandoned is noticed late, by the garbage collector.
    this.#finish(outcome === 'abandoned' ? this.#lastSign : at)
  }

  #sign(): void {
    this.#lastSign = performance.now()
    if (this.#above) this.#above.#sign()
  }
}

function isAbort(exception: Exception): boolean {
  return typeof exception === 'object' && exception.name === 'AbortError'
}
