import {
  type Attributes,
  type Context,
  createContextKey,
  INVALID_SPANID,
  type Span,
  type SpanContext,
  TraceFlags,
} from '@opentelemetry/api'
import * as SLOTS from './slots.ts'

// Used instead of `instanceof`, which fails between copies of this module (bundlers, several installed versions).
const MARK = Symbol.for(SLOTS.MUTED_SPAN)

/** Marks the contexts of one request: its value is the request's own {@link MutedSpan}. */
export const REQUEST = /* @__PURE__ */ createContextKey('svc.request')

/** Returns the request in whose context this is, if the preload follows it. */
export function requestIn(context: Context): RequestRoot | undefined {
  return (context.getValue(REQUEST) as MutedSpan | undefined)?.request
}

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

  /** The span that is written to instead, where a subclass has one. */
  protected get recorded(): Span | undefined {
    return undefined
  }

  spanContext(): SpanContext {
    return this.context
  }

  isRecording(): boolean {
    return false
  }

  setAttribute(...args: Parameters<Span['setAttribute']>): this {
    this.recorded?.setAttribute(...args)
    return this
  }

  setAttributes(...args: Parameters<Span['setAttributes']>): this {
    this.recorded?.setAttributes(...args)
    return this
  }

  addEvent(...args: Parameters<Span['addEvent']>): this {
    this.recorded?.addEvent(...args)
    return this
  }

  addLink(...args: Parameters<Span['addLink']>): this {
    this.recorded?.addLink(...args)
    return this
  }

  addLinks(...args: Parameters<Span['addLinks']>): this {
    this.recorded?.addLinks(...args)
    return this
  }

  setStatus(...args: Parameters<Span['setStatus']>): this {
    this.recorded?.setStatus(...args)
    return this
  }

  updateName(..._: Parameters<Span['updateName']>): this {
    return this
  }

  end(): void {}

  recordException(...args: Parameters<Span['recordException']>): void {
    this.recorded?.recordException(...args)
  }
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
  /** Gives the root the user and session of these values that are the first of the request. Must not throw. */
  identify?(propagated: Attributes): void
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
