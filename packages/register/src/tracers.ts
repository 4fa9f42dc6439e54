import {
  type Context,
  context,
  isSpanContextValid,
  isValidTraceId,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { NEXT_ROUTE, NEXT_SCOPE, SDK_SCOPE } from '@svc/core/attributes'
import { withSpan } from '@svc/core/flat-context'
import { isMuted, MutedSpan, traceOnly } from '@svc/core/muted-span'
import { linkedToRefused } from '@svc/core/remote-parent'
import { outside, shielded } from './outside.ts'
import { setRoute } from './requests.ts'
import type { TraceIds } from './trace-ids.ts'
import { started } from './watchers.ts'
import type { Yields } from './yielding.ts'

/** `startActiveSpan` in terms of `startSpan`, once for both tracers. */
abstract class ActiveTracer implements Tracer {
  abstract startSpan(name: string, options?: SpanOptions, parent?: Context): Span

  startActiveSpan<F extends (span: Span) => ReturnType<F>>(
    name: string,
    ...rest: [F] | [SpanOptions, F] | [SpanOptions, Context, F]
  ): ReturnType<F> {
    const fn = rest.at(-1) as F
    const options = rest.length > 1 ? (rest[0] as SpanOptions | undefined) : undefined
    const given = rest.length > 2 ? (rest[1] as Context | undefined) : undefined
    const parent = given ?? context.active()
    const span = this.startSpan(name, options, parent)
    // Where nothing changes nothing is entered: that would copy all that the application keeps in async contexts.
    if (given === undefined && trace.getSpan(parent) === span) return fn(span)
    return context.with(withSpan(parent, span), fn, undefined, span)
  }
}

/** Starts spans of one scope, {@link outside}. */
export interface SpanStarter {
  startSpan(name: string, options: SpanOptions | undefined, parent: Context): Span
}

/** A tracer of the SDK, whose spans look at clocks {@link outside}. */
export class ShieldingTracer implements SpanStarter {
  readonly #inner: Tracer

  constructor(inner: Tracer) {
    this.#inner = inner
  }

  startSpan(name: string, options: SpanOptions | undefined, parent: Context): Span {
    return outside(() => shielded(this.#inner.startSpan(name, options, parent)))
  }
}

/**
 * A tracer whose roots join the trace of the HTTP request, or of the muted span, they start in.
 */
export class JoiningTracer extends ActiveTracer {
  readonly #inner: SpanStarter
  readonly #ids: TraceIds
  readonly #scope: string
  readonly #resource: object | undefined

  /** @param resource what the spans of this provider have, and those of others have not */
  constructor(inner: SpanStarter, ids: TraceIds, scope: string, resource?: object) {
    super()
    this.#scope = scope
    this.#inner = inner
    this.#ids = ids
    this.#resource = resource
  }

  startSpan(name: string, options?: SpanOptions, parent: Context = context.active()): Span {
    const above = options?.root ? undefined : unwrapped(trace.getSpan(parent))
    if (this.#scope === NEXT_SCOPE) setRoute(options?.attributes?.[NEXT_ROUTE], parent)
    if (isOfAnother(above, this.#resource)) return this.#startPast(above, name, options, parent)
    if (!isMuted(above)) return this.#start(name, options, parent)
    const root = above.request?.open(this.#scope)
    if (root) return this.#start(name, options, trace.setSpan(parent, root))
    const { traceId } = above.spanContext()
    if (!isValidTraceId(traceId)) return this.#start(name, options, parent)
    return this.#ids.within(traceId, () => this.#start(name, options, parent))
  }

  /** The span of another provider is never delivered by this one: its child hangs from what it hangs from itself. */
  #startPast(other: ReadableSpan, name: string, options: SpanOptions | undefined, parent: Context): Span {
    const { parentSpanContext } = other
    if (parentSpanContext) return this.#start(name, options, trace.setSpanContext(parent, parentSpanContext))
    const { traceId } = other.spanContext()
    return this.#ids.within(traceId, () => this.#start(name, options, trace.deleteSpan(parent)))
  }

  #start(name: string, options: SpanOptions | undefined, parent: Context): Span {
    const said = linkedToRefused(options, parent)
    const span = this.#inner.startSpan(name, said, parent)
    if (span.isRecording()) started(span)
    return span
  }
}

/** Whether a span was made in this process, by another provider. Observations are delivered by whichever has them. */
function isOfAnother(span: object | undefined, resource: object | undefined): span is ReadableSpan {
  if (!span || !resource) return false
  const { resource: its, instrumentationScope } = span as Partial<ReadableSpan>
  return its !== undefined && its !== resource && instrumentationScope?.name !== SDK_SCOPE
}

/** OpenInference puts its spans into others of its own. */
function unwrapped(span: (Span & { readonly span?: Span }) | undefined): Span | undefined {
  return isMuted(span?.span) ? span.span : span
}

/**
 * Stands in for the tracer of an infrastructure scope whose spans nobody wants. The first span costs one small object,
 * those inside are the same one, and their children hang from the nearest recorded ancestor.
 */
export class MutingTracer extends ActiveTracer {
  readonly #ids: TraceIds

  constructor(ids: TraceIds) {
    super()
    this.#ids = ids
  }

  startSpan(_name: string, options?: SpanOptions, parent: Context = context.active()): Span {
    const above = unwrapped(trace.getSpan(options?.root ? ROOT_CONTEXT : parent))
    if (isMuted(above)) return told(above, options)
    const over = above?.spanContext()
    if (!over?.isRemote && over && isSpanContextValid(over)) return new MutedSpan(over)
    // A server span begins with what came in with its request, and this process may know that request already.
    const around = options?.kind === SpanKind.SERVER ? trace.getActiveSpan() : undefined
    if (isMuted(around) && around.request) return new MutedSpan(around.spanContext(), around.request)
    if (over && isSpanContextValid(over)) return new MutedSpan(over)
    return new MutedSpan(traceOnly(outside(() => this.#ids.generateTraceId())))
  }
}

/** What a span that nobody wants knows of its request: Next names the route on spans of its own alone. */
function told(above: MutedSpan, options: SpanOptions | undefined): MutedSpan {
  const route = options?.attributes?.[NEXT_ROUTE]
  if (above.request && typeof route === 'string') above.request.route = route
  return above
}

/** Leaves calls to those of our instrumentations that record them. */
export class YieldingTracer extends ActiveTracer {
  readonly #inner: Tracer
  readonly #muting: Tracer
  readonly #yields: Yields

  constructor(inner: Tracer, muting: Tracer, yields: Yields) {
    super()
    this.#inner = inner
    this.#muting = muting
    this.#yields = yields
  }

  startSpan(name: string, options?: SpanOptions, parent: Context = context.active()): Span {
    return (this.#yields(name, parent, options) ? this.#muting : this.#inner).startSpan(name, options, parent)
  }
}
