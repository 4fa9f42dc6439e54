import type { Context, Span, SpanContext, TimeInput } from '@opentelemetry/api'
import type { AttributesOf, MomentaryKind, ObservationKind } from './kinds.ts'

/** What every observation has. No method throws, whatever it is given. */
export interface BaseObservation<K extends ObservationKind = ObservationKind> {
  /** The OpenTelemetry span underneath. */
  readonly otelSpan: Span
  /** Id of the span and of the observation: 16 hex digits; zeros where nothing is traced. */
  readonly id: string
  /** Id of the trace: 32 hex digits; zeros where nothing is traced. */
  readonly traceId: string
  /** What it stands for. */
  readonly type: K
  /**
   * Ends the observation. Only the first call counts.
   *
   * @param endTime when it ended, if not now: a Date, milliseconds since 1970, or `[seconds, nanoseconds]`
   */
  end(endTime?: TimeInput): void
  /**
   * Starts a child of this observation, whatever else is active. The child is not active and has to be ended; values
   * that were propagated where this observation started reach it, too.
   *
   * @example
   * const search = agent.startObservation('search', { input: query }, { asType: 'retriever' })
   * search.update({ output: documents }).end()
   */
  startObservation<C extends ObservationKind = 'span'>(
    name: string,
    attributes?: AttributesOf<C>,
    options?: ChildOptions<C>,
  ): ObservationOf<C>
  /** Lets everyone with the link see the trace. */
  setTraceAsPublic(): this
}

/** What observations have that last for a while. */
export interface UpdatableObservation<K extends ObservationKind> {
  /** Writes fields, over what was there. Metadata is merged key by key. After the end it is too late. */
  update(attributes: AttributesOf<K>): this
}

/** The observation of kind `K`. */
export type ObservationOf<K extends ObservationKind> = K extends MomentaryKind
  ? BaseObservation<K>
  : BaseObservation<K> & UpdatableObservation<K>

/** Any observation. */
export type SvcObservation = ObservationOf<ObservationKind>

/** What an observation is made of. */
export interface ObservationParts<K extends ObservationKind> {
  /** The span it stands on; the observation writes its type on it. */
  readonly otelSpan: Span
  readonly attributes?: AttributesOf<K> | undefined
  /** When the span started; the end of an event. */
  readonly startTime?: TimeInput | undefined
  /** The context it belongs to. Default: the active one. */
  readonly context?: Context | undefined
}

/** The class of a kind, for `instanceof` and for spans that were started otherwise. */
export interface ObservationClass<K extends ObservationKind> {
  new (parts: ObservationParts<K>): ObservationOf<K>
  readonly prototype: ObservationOf<K>
}

/** Options of `observation.startObservation`. */
export interface ChildOptions<K extends ObservationKind = ObservationKind> {
  /** What it stands for. Default `span`. */
  readonly asType?: K | undefined
  /** When it started, if not now: a Date, milliseconds since 1970, or `[seconds, nanoseconds]`. */
  readonly startTime?: TimeInput | undefined
}

/** Options of `startObservation`. */
export interface StartObservationOptions<K extends ObservationKind = ObservationKind> extends ChildOptions<K> {
  /** The parent, if it is not the active span: for work that another process or request began. */
  readonly parentSpanContext?: SpanContext | undefined
}

/** Options of `startActiveObservation`. */
export interface StartActiveObservationOptions<K extends ObservationKind = ObservationKind>
  extends StartObservationOptions<K> {
  /** End the observation when the work has come to its end. With false that is left to you. Default true. */
  readonly endOnExit?: boolean | undefined
}

/** Options of `observe`. */
export interface ObserveOptions<K extends ObservationKind = ObservationKind> {
  /** Name of the observation. Default: the name of the function, else `anonymous-function`. */
  readonly name?: string | undefined
  /** What it stands for. Default `span`. */
  readonly asType?: K | undefined
  /** Record the arguments as input: one as it is, several as a list. Default true. */
  readonly captureInput?: boolean | undefined
  /** Record as output what is returned, or arrives piece by piece. Default true. */
  readonly captureOutput?: boolean | undefined
  /** The parent, if it is not the active span. */
  readonly parentSpanContext?: SpanContext | undefined
  /** End the observation when the work has come to its end. With false that is left to you. Default true. */
  readonly endOnExit?: boolean | undefined
}
