import {
  type Context,
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { MutedSpan, traceOnly } from './muted-span.ts'
import type { TraceIds } from './trace-ids.ts'

/** `startActiveSpan` in terms of `startSpan`, once for both tracers. */
abstract class ActiveTracer implements Tracer {
  abstract startSpan(name: string, options?: SpanOptions, parent?: Context): Span

  startActiveSpan<F extends (span: Span) => ReturnType<F>>(
    name: string,
    ...rest: [F] | [SpanOptions, F] | [SpanOptions, Context, F]
  ): ReturnType<F> {
    const fn = rest.at(-1) as F
    const options = rest.length > 1 ? (rest[0] as SpanOptions) : {}
    const parent = rest.length > 2 ? (rest[1] as Context) : context.active()
    const span = this.startSpan(name, options, parent)
    return context.with(trace.setSpan(parent, span), fn, undefined, span)
  }
}

/**
 * A tracer of the SDK whose roots join the trace of the HTTP request, or of the muted span, they start in.
 */
export class JoiningTracer extends ActiveTracer {
  readonly #inner: Tracer
  readonly #ids: TraceIds

  constructor(inner: Tracer, ids: TraceIds) {
    super()
    this.#inner = inner
    this.#ids = ids
  }

  startSpan(name: string, options: SpanOptions = {}, parent: Context = context.active()): Span {
    const above = options.root ? undefined : trace.getSpan(parent)
    if (!(above instanceof MutedSpan)) return this.#inner.startSpan(name, options, parent)
    const root = above.request?.open()
    if (root) return this.#inner.startSpan(name, options, trace.setSpan(parent, root))
    const { traceId } = above.spanContext()
    return this.#ids.within(traceId, () => this.#inner.startSpan(name, options, parent))
  }
}

/**
 * Stands in for the tracer of an infrastructure scope whose spans nobody wants. A span costs one small object, and
 * its children hang from the nearest recorded ancestor.
 */
export class MutingTracer extends ActiveTracer {
  readonly #ids: TraceIds

  constructor(ids: TraceIds) {
    super()
    this.#ids = ids
  }

  startSpan(_name: string, options: SpanOptions = {}, parent: Context = context.active()): Span {
    const above = trace.getSpan(options.root ? ROOT_CONTEXT : parent)
    if (above instanceof MutedSpan) return new MutedSpan(above.spanContext(), above.request)
    const over = above?.spanContext()
    return new MutedSpan(over && isSpanContextValid(over) ? over : traceOnly(this.#ids.generateTraceId()))
  }
}
