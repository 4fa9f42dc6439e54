import {
  type Context,
  isSpanContextValid,
  type Span,
  type SpanContext,
  TraceFlags,
  type Tracer,
  type TracerOptions,
  type TracerProvider,
} from '@opentelemetry/api'
import type { ReadableSpan, Span as SdkSpan, SpanProcessor } from '@opentelemetry/sdk-trace'
import { attempt } from '@svc/core/attempt'
import { SDK_SCOPE } from '@svc/core/attributes'
import { isMuted } from '@svc/core/muted-span'
import { isDefaultExportSpan } from '@svc/otel/filter'
import type { IsDuplicate } from './duplicates.ts'
import { type HostPlace, HostPlaces, hide, type SdkTracer } from './host-places.ts'
import { type Observed, observed, parentIdOf, scopeOf } from './host-span.ts'
import { describeUnjoined } from './provider-lines.ts'
import { SpansBeside } from './spans-beside.ts'
import { ended, started, watchers } from './watchers.ts'

/** What the provider of the application has to know of this pipeline. */
export interface OurPipeline {
  /** Undefined where nothing is sent to the service. */
  readonly processor: SpanProcessor | undefined
  /** That of our spans, by which they are recognized. */
  readonly resource: object
  readonly duplicateTestOf: (scope: string) => IsDuplicate | undefined
  readonly getTracer: TracerProvider['getTracer']
}

/** Members of the SDK's providers and tracers, 1.x to 3.x. */
interface SdkProvider extends TracerProvider {
  getDelegate?(): TracerProvider
  /** From 2.x on. */
  readonly _activeSpanProcessor?: MultiProcessor
  /** 1.x: called for every span. */
  getActiveSpanProcessor?(): MultiProcessor
  readonly _tracers?: ReadonlyMap<string, SdkTracer>
  /** Up to 2.x. */
  readonly _config?: { readonly idGenerator?: unknown }
}

type MultiProcessor = Partial<SpanProcessor> & { readonly _spanProcessors?: readonly object[] }

/**
 * The tracer provider that the application registers, early or late. It stays what it is without us: its own samplers,
 * processors, ids and parents. Behind its processors ours sees what it records, and gives each span its place in our
 * trace. Nothing of that is written on its spans.
 */
export class HostProvider {
  readonly beside = new SpansBeside()
  #provider: SdkProvider | undefined
  readonly #pipeline: () => OurPipeline | undefined
  readonly #report: (line: string) => void
  readonly #isAroundOurs: (provider: TracerProvider) => boolean
  readonly #known = new WeakSet<object>()
  /** What our processor is given for a span of the application. */
  readonly #observed = new WeakMap<object, Observed>()
  readonly #places: HostPlaces
  readonly #listeners: (() => void)[] = []
  #isJoined = false
  #delivers = false

  /** @param isAroundOurs whether a provider has its tracers from ours */
  constructor(
    pipeline: () => OurPipeline | undefined,
    report: (line: string) => void,
    isAroundOurs: (provider: TracerProvider) => boolean = () => false,
  ) {
    this.#pipeline = pipeline
    this.#report = report
    this.#isAroundOurs = isAroundOurs
    this.#places = new HostPlaces(() => pipeline()?.resource)
  }

  /** Joins a provider of the application, and passes tracers that it has taken from us on to it. */
  join(given: TracerProvider): void {
    const provider: SdkProvider = (given as SdkProvider).getDelegate?.() ?? given
    if (provider === this.#provider) return
    // What comes back to us is ours.
    const isOfSdk = provider._activeSpanProcessor ?? provider.getActiveSpanProcessor
    const isAroundOurs = !isOfSdk && attempt('look at a tracer provider', this.#isAroundOurs, provider)
    this.#provider = isAroundOurs ? undefined : provider
    if (isAroundOurs) return
    this.#isJoined = attempt('join a tracer provider', () => this.#joined(provider)) ?? false
    if (!this.#isJoined) this.#report(describeUnjoined(provider))
    if (this.isApart) for (const listener of this.#listeners.splice(0)) attempt('tell of a tracer provider', listener)
  }

  /**
   * Returns a function that returns the tracer of the application's provider for a scope; undefined without one. It stays
   * that of the first one, as a tracer of the API does.
   */
  tracerOf(name: string, version?: string, options?: TracerOptions): () => Tracer | undefined {
    let tracer: Tracer | undefined
    return () => {
      if (this.#provider === undefined || this.#isOurs(name)) return undefined
      tracer ??= this.#provider.getTracer(name, version, options)
      return tracer
    }
  }

  /** Whether its spans are not to be written on: for a processor of ours they may be. */
  get isApart(): boolean {
    return this.#provider !== undefined && !this.#delivers
  }

  /** Whether it has a processor of ours itself. */
  get delivers(): boolean {
    return this.#delivers
  }

  /** Calls `listener` when {@link isApart} becomes true, at once if it is. */
  onJoin(listener: () => void): void {
    if (this.isApart) listener()
    else this.#listeners.push(listener)
  }

  /** Whether this span of the application is one that the service may get. */
  has(span: object): boolean {
    return this.#observed.has(span) || (this.#delivers && isDefaultExportSpan(span as ReadableSpan))
  }

  /** Whether the application's provider has decided not to record this span, which decides nothing for us. */
  hasDropped(span: Span): boolean {
    if (!this.#provider || isMuted(span) || 'resource' in span || span.isRecording()) return false
    const spanContext = span.spanContext()
    const { isRemote, traceFlags } = spanContext
    return !isRemote && (traceFlags & TraceFlags.SAMPLED) === 0 && isSpanContextValid(spanContext)
  }

  /**
   * Returns the parent of a span of the application's provider that could not be joined, as the span tells it: that one
   * may be ours. Undefined for any other span.
   */
  parentPast(span: Span): { readonly parent: SpanContext | undefined } | undefined {
    if (!this.#provider || this.#isJoined || isMuted(span) || 'resource' in span || !span.isRecording())
      return undefined
    const spanContext = span.spanContext()
    if (spanContext.isRemote) return undefined
    const spanId = parentIdOf(span as object)
    return { parent: spanId === undefined ? undefined : { ...spanContext, spanId } }
  }

  /** Returns what the application sees of a context. */
  shown(context: Context): Context {
    return this.isApart ? this.#places.shown(context) : context
  }

  /** Remembers the application's span around one of ours. */
  started(span: Span, above: Span | undefined): void {
    if (this.#provider && above) this.#places.started(span, above)
  }

  #joined(provider: SdkProvider): boolean {
    const { getTracer, getActiveSpanProcessor, _activeSpanProcessor, _tracers } = provider
    const isKnown = this.#known.has(provider)
    this.#known.add(provider)
    const isDefaultIds = provider._config && provider._config.idGenerator === undefined
    const watched = (tracer: Tracer, name: string) => this.#places.watch(tracer, name, isDefaultIds ?? false)
    if (!isKnown) {
      hide(provider, 'getTracer', (name: string, ...rest: [string?, TracerOptions?]) =>
        this.#isOurs(name)
          ? this.#pipeline()?.getTracer(name, ...rest)
          : watched(Reflect.apply(getTracer, provider, [name, ...rest]), name),
      )
      if (_tracers instanceof Map)
        for (const [key, tracer] of _tracers) watched(tracer, key.slice(0, key.lastIndexOf('@')))
    }
    if (_activeSpanProcessor?.onStart) {
      this.#delivers = hasOurs(_activeSpanProcessor)
      return this.#delivers || this.#behind(_activeSpanProcessor)
    }
    if (!getActiveSpanProcessor) return false
    // 1.x replaces it when a processor is added.
    if (!isKnown) {
      hide(provider, 'getActiveSpanProcessor', () => {
        const active: MultiProcessor = Reflect.apply(getActiveSpanProcessor, provider, [])
        this.#delivers = hasOurs(active)
        if (!this.#delivers) attempt('join a span processor', () => this.#behind(active))
        return active
      })
    }
    return true
  }

  /** Observations stay ours where we could not see them in another provider. */
  #isOurs(scope: string): boolean {
    return scope === SDK_SCOPE && !this.#isJoined
  }

  /** Calls us after its processors. */
  #behind(active: MultiProcessor): boolean {
    if (this.#known.has(active)) return true
    this.#known.add(active)
    const { onStart, onEnd } = active
    if (!onStart || !onEnd) return false
    hide(active, 'onStart', (span: SdkSpan, parent: Context) => {
      // Taken now, because a processor may start spans.
      const place = this.#places.take()
      const isBeside = this.beside.take()
      onStart.call(active, span, parent)
      if (!isBeside) attempt('look at a span of the application', () => this.#onStart(span, parent, place))
    })
    hide(active, 'onEnd', (span: ReadableSpan) => {
      onEnd.call(active, span)
      attempt('look at a span of the application', () => this.#onEnd(span))
    })
    return true
  }

  #onStart(span: SdkSpan, parent: Context, place: HostPlace | undefined): void {
    const pipeline = this.#pipeline()
    if (!pipeline?.processor) return
    // Spans of others, which only look like the SDK's from outside.
    if (!span.attributes || !span.resource) {
      this.#isJoined = false
      this.#report(describeUnjoined(this.#provider))
      return
    }
    const isDuplicate = pipeline.duplicateTestOf(scopeOf(span))?.(span.name, parent, span)
    const { traceId } = span.spanContext()
    const view = observed(span, { isDuplicate, ...(place?.traceId === traceId && { parent: place.parent ?? null }) })
    this.#observed.set(span, view)
    pipeline.processor.onStart(view, parent)
    if (watchers.size > 0) started(view)
  }

  #onEnd(span: ReadableSpan): void {
    const view = this.#observed.get(span)
    if (!view) return
    const processor = this.#pipeline()?.processor
    processor?.onEnding?.(view)
    processor?.onEnd(view)
    if (watchers.size > 0) ended(view)
  }
}

function hasOurs({ _spanProcessors = [] }: MultiProcessor): boolean {
  return _spanProcessors.some((each) => each.constructor?.name === 'SvcSpanProcessor')
}
