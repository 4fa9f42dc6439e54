import { INVALID_SPANID, type Span, type SpanContext, TraceFlags } from '@opentelemetry/api'

/**
 * A span that records nothing and stands for its parent: what starts under it hangs from the nearest recorded
 * ancestor. Without such an ancestor it only knows which trace its children belong to; its own context is then
 * invalid, so the SDK makes them roots and propagators leave it alone.
 */
export class MutedSpan implements Span {
  readonly #context: SpanContext
  /** The HTTP request this span stands for, where it stands for one. */
  readonly request: RequestRoot | undefined

  constructor(context: SpanContext, request?: RequestRoot) {
    this.#context = context
    this.request = request
  }

  spanContext(): SpanContext {
    return this.#context
  }

  isRecording(): boolean {
    return false
  }

  setAttribute(): this {
    return this
  }

  setAttributes(): this {
    return this
  }

  addEvent(): this {
    return this
  }

  addLink(): this {
    return this
  }

  addLinks(): this {
    return this
  }

  setStatus(): this {
    return this
  }

  updateName(): this {
    return this
  }

  end(): void {}

  recordException(): void {}
}

/** Where children of a muted request find their recorded parent, made when the first of them starts. */
export interface RequestRoot {
  /** The recorded root of the request; undefined when requests are not recorded. */
  open(): Span | undefined
}

/** The context of a muted span that has no recorded ancestor: a trace id and nothing else. */
export function traceOnly(traceId: string): SpanContext {
  return { traceId, spanId: INVALID_SPANID, traceFlags: TraceFlags.NONE }
}
