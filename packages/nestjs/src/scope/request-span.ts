import { INVALID_SPAN_CONTEXT, type Span, type SpanContext } from '@opentelemetry/api'
import { isMuted, MutedSpan, type RequestRoot } from '@svc/core/muted-span'

/**
 * Stands for a request whose root observation may not be there yet: until then for what the request itself runs in,
 * from then on for the root. Whatever starts under it finds its parent.
 */
export class RequestSpan extends MutedSpan {
  readonly #above: Span | undefined
  readonly #root: () => Span | undefined

  /**
   * @param above the active span when the request came
   * @param root the root, if it is there
   * @param open makes the root, for the first recorded span inside; without one, children belong to what is above
   */
  constructor(above: Span | undefined, root: () => Span | undefined, open: () => Span | undefined) {
    const request: RequestRoot = { open: () => open() ?? (isMuted(above) ? above.request?.open() : undefined) }
    super(INVALID_SPAN_CONTEXT, request)
    this.#above = above
    this.#root = root
  }

  override spanContext(): SpanContext {
    return this.#span?.spanContext() ?? INVALID_SPAN_CONTEXT
  }

  override isRecording(): boolean {
    return this.#span?.isRecording() ?? false
  }

  override setAttribute(...args: Parameters<Span['setAttribute']>): this {
    this.#root()?.setAttribute(...args)
    return this
  }

  override setAttributes(...args: Parameters<Span['setAttributes']>): this {
    this.#root()?.setAttributes(...args)
    return this
  }

  override addEvent(...args: Parameters<Span['addEvent']>): this {
    this.#root()?.addEvent(...args)
    return this
  }

  override addLink(...args: Parameters<Span['addLink']>): this {
    this.#root()?.addLink(...args)
    return this
  }

  override addLinks(...args: Parameters<Span['addLinks']>): this {
    this.#root()?.addLinks(...args)
    return this
  }

  override setStatus(...args: Parameters<Span['setStatus']>): this {
    this.#root()?.setStatus(...args)
    return this
  }

  override recordException(...args: Parameters<Span['recordException']>): void {
    this.#root()?.recordException(...args)
  }

  get #span(): Span | undefined {
    return this.#root() ?? this.#above
  }
}
