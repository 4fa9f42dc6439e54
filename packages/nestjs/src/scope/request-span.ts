import { INVALID_SPAN_CONTEXT, type Span, type SpanContext } from '@opentelemetry/api'
import { MutedSpan, type RequestRoot } from '@svc/core/muted-span'

export interface Within extends RequestRoot {
  /** The root, if it is there. */
  readonly span: Span | undefined
}

/**
 * Stands for a request whose root observation may not be there yet: until then for what the request itself runs in,
 * from then on for the root. Whatever starts under it finds its parent.
 */
export class RequestSpan extends MutedSpan {
  readonly #above: Span | undefined
  readonly #within: Within

  /** @param above the active span when the request came: without a root, children belong to it */
  constructor(above: Span | undefined, within: Within) {
    // No object made for it: V8 puts literals whose like have lived long among the old objects, and from there one that
    // is not used any more would keep the whole request.
    super(INVALID_SPAN_CONTEXT, within)
    this.#above = above
    this.#within = within
  }

  override spanContext(): SpanContext {
    return this.#span?.spanContext() ?? INVALID_SPAN_CONTEXT
  }

  override isRecording(): boolean {
    return this.#span?.isRecording() ?? false
  }

  protected override get recorded(): Span | undefined {
    return this.#within.span
  }

  get #span(): Span | undefined {
    return this.#within.span ?? this.#above
  }
}
