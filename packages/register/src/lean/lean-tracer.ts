import {
  type Context,
  INVALID_SPAN_CONTEXT,
  INVALID_SPANID,
  isSpanContextValid,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { type InstrumentationScope, isTracingSuppressed } from '@opentelemetry/core'
import { type IdGenerator, type Sampler, SamplingDecision } from '@opentelemetry/sdk-trace'
import { matchesScope, OWN_SPAN_SCOPES } from '@svc/otel/scopes'
import { unwatched } from '../outside.ts'
import type { SpanStarter } from '../span-starter.ts'
import { LeanSpan } from './lean-span.ts'
import type { SpanOrigin } from './span-origin.ts'

export interface LeanTracerOptions extends Omit<SpanOrigin, 'scope'> {
  readonly ids: IdGenerator
  readonly sampler: Sampler
  /** Whether `sampler` samples all roots, and all children of sampled spans. It is not called for these. Default: false. */
  readonly samplesByDefault?: boolean
}

/** Starts spans of this project's own scopes. The SDK starts all others. */
export function leanTracers(options: LeanTracerOptions): (scope: InstrumentationScope) => LeanTracer | undefined {
  return (scope) =>
    matchesScope(scope.name, OWN_SPAN_SCOPES) ? new LeanTracer({ ...options, scope }, options) : undefined
}

/** Starts a {@link LeanSpan} where the SDK's tracer would start one of its own. */
class LeanTracer implements SpanStarter {
  readonly #origin: SpanOrigin
  readonly #options: LeanTracerOptions

  constructor(origin: SpanOrigin, options: LeanTracerOptions) {
    this.#origin = origin
    this.#options = options
  }

  startSpan(name: string, options: SpanOptions | undefined, parent: Context): Span {
    return unwatched(LeanTracer.#start, this, name, options ?? {}, parent)
  }

  static #start(tracer: LeanTracer, name: string, options: SpanOptions, parent: Context): Span {
    if (isTracingSuppressed(parent)) return trace.wrapSpanContext(INVALID_SPAN_CONTEXT)
    const context = options.root ? trace.deleteSpan(parent) : parent
    const above = validParent(context)
    const { ids, samplesByDefault } = tracer.#options
    const spanId = ids.generateSpanId()
    const traceId = above?.traceId ?? ids.generateTraceId()
    const spanContext: SpanContext = { traceId, spanId, traceFlags: TraceFlags.SAMPLED }
    if (above?.traceState) spanContext.traceState = above.traceState
    const isSampled = samplesByDefault && (!above || above.traceFlags & TraceFlags.SAMPLED)
    if (!isSampled && !tracer.#sample(spanContext, name, options, context)) return trace.wrapSpanContext(spanContext)
    const span = new LeanSpan(name, spanContext, above, options, tracer.#origin)
    const { processors } = tracer.#origin
    for (let at = 0; at < processors.length; at++) processors[at]?.onStart(span, context)
    return span
  }

  /**
   * Writes the decision of the sampler into the context of a span.
   *
   * @returns whether the span is recorded
   */
  #sample(spanContext: SpanContext, name: string, options: SpanOptions, parent: Context): boolean {
    const { kind = SpanKind.INTERNAL, attributes = {}, links = [] } = options
    const { sampler } = this.#options
    const { decision, traceState } = sampler.shouldSample(parent, spanContext.traceId, name, kind, attributes, links)
    if (decision !== SamplingDecision.RECORD_AND_SAMPLED) spanContext.traceFlags = TraceFlags.NONE
    if (traceState) spanContext.traceState = traceState
    return decision !== SamplingDecision.NOT_RECORD
  }
}

function validParent(context: Context): SpanContext | undefined {
  const span = trace.getSpan(context)
  const above = span?.spanContext()
  if (!above || above.spanId === INVALID_SPANID) return undefined
  return span instanceof LeanSpan || isSpanContextValid(above) ? above : undefined
}
