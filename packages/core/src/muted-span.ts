import { INVALID_SPANID, type Span, type SpanContext, TraceFlags } from '@opentelemetry/api'
import * as SLOTS from './slots.ts'

// Used instead of `instanceof`, which fails between copies of this module (bundlers, several installed versions).
const MARK = Symbol.for(SLOTS.MUTED_SPAN)

/**
 * A span that is not recorded and has the context of its parent: spans that start under it become children of the
 * nearest recorded ancestor. Without such an ancestor it only has the trace id of its children; its span context is
 * then invalid, so that the SDK makes them roots and propagators ignore it.
 */
export class MutedSpan implements Span {
  // `declare`, because V8 defines fields in a function of its own, which is called for every object.
  declare private readonly context: SpanContext
  /** The request, if this span represents one. */
  declare readonly request: RequestRoot | undefined

  constructor(context: SpanContext, request?: RequestRoot) {
    this.context = context
    this.request = request
  }

  get [MARK](): true {
    return true
  }

  spanContext(): SpanContext {
    return this.context
  }

  isRecording(): boolean {
    return false
  }

  setAttribute(..._: Parameters<Span['setAttribute']>): this {
    return this
  }

  setAttributes(..._: Parameters<Span['setAttributes']>): this {
    return this
  }

  addEvent(..._: Parameters<Span['addEvent']>): this {
    return this
  }

  addLink(..._: Parameters<Span['addLink']>): this {
    return this
  }

  addLinks(..._: Parameters<Span['addLinks']>): this {
    return this
  }

  setStatus(..._: Parameters<Span['setStatus']>): this {
    return this
  }

  updateName(..._: Parameters<Span['updateName']>): this {
    return this
  }

  end(): void {}

  recordException(..._: Parameters<Span['recordException']>): void {}
}

/** Provides the recorded parent for spans of a request, created when the first of them starts. */
export interface RequestRoot {
  /**
   * Returns the recorded root of the request; undefined if it has none.
   *
   * @param scope the scope of the span that starts: not every scope needs a root
   */
  open(scope?: string): Span | undefined
  /** Calls `action` once when the response is done, sent or left by the client: before its own listeners. Must not throw. */
  whenDone?(action: () => void): void
  /** The route that serves the request, set by the instrumentation that knows it. */
  route?: string | undefined
}

/** Whether a span is a {@link MutedSpan}, of any copy of this module. */
export function isMuted(span: Span | undefined): span is MutedSpan {
  return span !== undefined && MARK in span
}

/** Returns the context of a muted span without a recorded ancestor: only a trace id. */
export function traceOnly(traceId: string): SpanContext {
  return { traceId, spanId: INVALID_SPANID, traceFlags: TraceFlags.NONE }
}
