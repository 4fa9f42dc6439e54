import {
  type Context,
  context,
  INVALID_TRACEID,
  isSpanContextValid,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { SDK_SCOPE } from '@svc/core/attributes'
import { withSpan } from '@svc/core/flat-context'
import { frameworkCallStarted } from '@svc/core/framework-call'
import { isMuted, MutedSpan, traceOnly } from '@svc/core/muted-span'
import { linkedToRefused } from '@svc/core/remote-parent'
import { behind } from '@svc/core/shown'
import { type SpanStarted, spanStarted } from '@svc/core/span-events'
import { modelOperation } from '@svc/otel/model-operation'
import { matchesScope, OWN_SPAN_SCOPES } from '@svc/otel/scopes'
import { leaveVisitor } from './cached-work.ts'
import type { IsDuplicate } from './duplicates.ts'
import type { HostProvider } from './host-provider.ts'
import { outside } from './outside.ts'
import { isOfSentry, withoutSentry } from './sentry-parent.ts'
import type { SpanStarter } from './span-starter.ts'
import type { TraceIds } from './trace-ids.ts'
import { started, watchers } from './watchers.ts'

/** Returns the tracer of the application's own provider that takes the place of one of ours; undefined without one. */
export type Theirs = () => Tracer | undefined

/** Implements `startActiveSpan` by `startSpan`, for all tracers of this file, and gives way to the application's own. */
abstract class ActiveTracer implements Tracer {
  readonly #theirs: Theirs | undefined

  /** @param unwrapped the methods that Next must not wrap: see {@link keepFromNext} */
  constructor(theirs: Theirs | undefined, ...unwrapped: readonly (keyof Tracer)[]) {
    this.#theirs = theirs
    for (const name of unwrapped) keepFromNext(this, name)
  }

  protected abstract start(name: string, options?: SpanOptions, parent?: Context): Span

  startSpan(name: string, options?: SpanOptions, parent?: Context): Span {
    const theirs = this.#theirs?.()
    return theirs ? theirs.startSpan(name, options, parent) : this.start(name, options, behind(parent))
  }

  startActiveSpan<F extends (span: Span) => ReturnType<F>>(
    name: string,
    ...rest: [F] | [SpanOptions, F] | [SpanOptions, Context, F]
  ): ReturnType<F> {
    const theirs = this.#theirs?.()
    if (theirs) return Reflect.apply(theirs.startActiveSpan, theirs, [name, ...rest])
    const fn = rest.at(-1) as F
    const options = rest.length > 1 ? (rest[0] as SpanOptions | undefined) : undefined
    const given = rest.length > 2 ? (rest[1] as Context | undefined) : undefined
    const parent = given ?? context.active()
    const span = this.startSpan(name, options, parent)
    // An unchanged context is not entered, which would copy all async contexts of the application.
    if (given === undefined && trace.getSpan(parent) === span) return fn(span)
    return context.with(withSpan(parent, span), fn, undefined, span)
  }
}

/**
 * Ignores it when Next replaces a method of a tracer. With an `instrumentation.ts`, Next makes every tracer leave the async
 * context of what it renders, so that the clock and the ids of a span do not fail a prerendered page. Our tracers read both
 * {@link outside} of it, and leaving copies all async contexts of the request twice for each span. Other replacements
 * work as for any object.
 */
function keepFromNext(tracer: Tracer, name: keyof Tracer): void {
  let method: unknown = tracer[name]
  const set = (replacement: unknown) => {
    if (!String(replacement).includes('workUnitAsyncStorage.exit(')) method = replacement
  }
  Object.defineProperty(tracer, name, { get: () => method, set, configurable: true, enumerable: true })
}

/**
 * The tracer of a scope that is recorded. Spans that would be roots join the trace of the HTTP request, or of the muted
 * span, in which they start.
 */
export class JoiningTracer extends ActiveTracer {
  readonly #inner: SpanStarter
  readonly #ids: TraceIds
  readonly #scope: string
  /** Whether it may be of a framework that calls models by clients which are recorded as well. */
  readonly #isForeign: boolean
  readonly #resource: object | undefined
  readonly #host: HostProvider | undefined

  /**
   * @param resource the resource of this provider: spans with another one were created by another provider
   * @param host the application's own provider
   */
  constructor(
    inner: SpanStarter,
    ids: TraceIds,
    scope: string,
    resource?: object,
    host?: HostProvider,
    theirs?: Theirs,
  ) {
    // Next's `startActiveSpan` also reports `use cache` functions that get a span as an argument.
    super(theirs, 'startSpan')
    this.#host = host
    this.#scope = scope
    this.#isForeign = !matchesScope(scope, OWN_SPAN_SCOPES)
    this.#inner = inner
    this.#ids = ids
    this.#resource = resource
  }

  protected start(name: string, options?: SpanOptions, given: Context = context.active()): Span {
    const parent = leaveVisitor(given, this.#ids)
    const above = options?.root ? undefined : trace.getSpan(parent)
    const span = this.#startUnder(above, name, options, parent)
    this.#host?.started(span, above)
    return span
  }

  #startUnder(above: Span | undefined, name: string, options: SpanOptions | undefined, parent: Context): Span {
    if (above === undefined) return this.#start(name, options, parent)
    const beside = this.#host?.beside.of(above)
    if (beside) return this.#start(name, options, withSpan(parent, beside))
    const muted = mutedIn(above)
    // Spans of Sentry itself stay in Sentry's trace.
    if (!muted && isOfSentry(above) && !this.#scope.startsWith('@sentry/'))
      return this.start(name, options, withoutSentry(parent, above.spanContext()))
    if (!muted && this.#host?.hasDropped(above))
      return this.#ids.within(above.spanContext().traceId, () => this.#start(name, options, trace.deleteSpan(parent)))
    const past = muted ? undefined : this.#past(above)
    if (past) return this.#startPast(above, past.parent, name, options, parent)
    if (!muted) return this.#start(name, options, parent)
    const root = muted.request?.open(this.#scope)
    if (root) return this.#start(name, options, withSpan(parent, root))
    // Without a recorded root the span becomes one, in the trace of the muted span. If that has a recorded ancestor,
    // the SDK takes it as the parent.
    const { traceId } = muted.spanContext()
    if (traceId === INVALID_TRACEID) return this.#start(name, options, parent)
    return this.#ids.within(traceId, () => this.#start(name, options, parent))
  }

  /** Returns the parent of a span that another provider created and that is not exported here. */
  #past(above: Span): { readonly parent: SpanContext | undefined } | undefined {
    if (isOfAnother(above, this.#resource) && !this.#host?.has(above)) return { parent: above.parentSpanContext }
    return this.#host?.parentPast(above)
  }

  /** Starts the child of such a span, whose parent is used. */
  #startPast(
    other: Span,
    itsParent: SpanContext | undefined,
    name: string,
    options: SpanOptions | undefined,
    parent: Context,
  ): Span {
    if (itsParent) return this.#start(name, options, trace.setSpanContext(parent, itsParent))
    const { traceId } = other.spanContext()
    return this.#ids.within(traceId, () => this.#start(name, options, trace.deleteSpan(parent)))
  }

  #start(name: string, options: SpanOptions | undefined, parent: Context): Span {
    const span = this.#inner.startSpan(name, linkedToRefused(options, parent), parent)
    if (!span.isRecording()) return span
    if (this.#isForeign && modelOperation(options?.attributes ?? {}, this.#scope, name))
      frameworkCallStarted(span, trace.getActiveSpan())
    if (spanStarted?.hasSubscribers) spanStarted.publish({ scope: this.#scope } satisfies SpanStarted)
    if (watchers.size > 0) started(span)
    return span
  }
}

/**
 * Whether a span was created in this process by another provider, so that it is not exported here. Not so for
 * observations (spans of `SDK_SCOPE`): their own provider delivers them to the service, where our spans can be their
 * children.
 */
function isOfAnother(span: object, resource: object | undefined): span is ReadableSpan {
  if (!resource) return false
  const { resource: its, instrumentationScope } = span as Partial<ReadableSpan>
  return its !== undefined && its !== resource && instrumentationScope?.name !== SDK_SCOPE
}

/** Returns a muted span, also inside an object of OpenInference, which wraps the spans of its tracers. */
function mutedIn(span: Span & { readonly span?: Span }): MutedSpan | undefined {
  if (isMuted(span)) return span
  return isMuted(span.span) ? span.span : undefined
}

/**
 * The tracer of a muted infrastructure scope. The first span costs one small object, nested ones share it, and their
 * children get the nearest recorded ancestor as parent.
 */
export class MutingTracer extends ActiveTracer {
  readonly #ids: TraceIds

  constructor(ids: TraceIds, theirs?: Theirs) {
    super(theirs, 'startSpan', 'startActiveSpan')
    this.#ids = ids
  }

  protected start(name: string, options?: SpanOptions, parent: Context = context.active()): Span {
    const above = options?.root ? undefined : trace.getSpan(parent)
    const muted = above && mutedIn(above)
    if (muted) return muted
    if (above && isOfSentry(above)) return this.start(name, options, withoutSentry(parent, above.spanContext()))
    const aboveContext = above?.spanContext()
    const hasParent = aboveContext && isSpanContextValid(aboveContext)
    if (hasParent && !aboveContext.isRemote) return new MutedSpan(aboveContext)
    // An HTTP instrumentation starts its server span from the incoming headers, but we may follow the request already.
    const around = options?.kind === SpanKind.SERVER ? trace.getActiveSpan() : undefined
    if (isMuted(around) && around.request) return new MutedSpan(around.spanContext(), around.request)
    if (hasParent) return new MutedSpan(aboveContext)
    return new MutedSpan(traceOnly(outside(() => this.#ids.generateTraceId())))
  }
}

/**
 * The tracer of a third-party instrumentation, or of Sentry: mutes spans that duplicate those of our instrumentations.
 */
export class DeduplicatingTracer extends ActiveTracer {
  readonly #inner: Tracer
  readonly #muting: Tracer
  readonly #isDuplicate: IsDuplicate

  constructor(inner: Tracer, muting: Tracer, isDuplicate: IsDuplicate, theirs?: Theirs) {
    super(theirs, 'startSpan')
    this.#inner = inner
    this.#muting = muting
    this.#isDuplicate = isDuplicate
  }

  protected start(name: string, options?: SpanOptions, parent: Context = context.active()): Span {
    return (this.#isDuplicate(name, parent, options) ? this.#muting : this.#inner).startSpan(name, options, parent)
  }
}
