import type { Context, Span, SpanContext, TimeInput } from '@opentelemetry/api'
import type { AttributesOf, MomentaryKind, ObservationKind } from './kinds.ts'

/** The members of every observation. No method throws, whatever its arguments. */
export interface BaseObservation<K extends ObservationKind = ObservationKind> {
  /** The underlying OpenTelemetry span. */
  readonly otelSpan: Span
  /** Id of the span and of the observation: 16 hex digits; zeros if nothing is recorded. */
  readonly id: string
  /** Id of the trace: 32 hex digits; zeros if nothing is recorded. */
  readonly traceId: string
  /** What it stands for. */
  readonly type: K
  /**
   * Ends the observation. Further calls have no effect.
   *
   * @param endTime end time, default now: a Date, milliseconds since 1970, or `[seconds, nanoseconds]`
   */
  end(endTime?: TimeInput): void
  /**
   * Starts a child of this observation, whichever span is active. The child does not become active and has to be ended.
   * It also gets the values that were propagated where this observation started.
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
  /** Makes the trace visible to everyone who has its link. */
  setTraceAsPublic(): this
}

/** The members of observations that have a duration. */
export interface UpdatableObservation<K extends ObservationKind> {
  /**
   * Writes fields and overwrites earlier values. Metadata is merged by key. Has no effect, and warns once, after the
   * end.
   */
  update(attributes: AttributesOf<K>): this
}

/** The observation of kind `K`. */
export type ObservationOf<K extends ObservationKind> = K extends MomentaryKind
  ? BaseObservation<K>
  : BaseObservation<K> & UpdatableObservation<K>

/** Any observation. */
export type SvcObservation = ObservationOf<ObservationKind>

/** Arguments of an observation's constructor. */
export interface ObservationParts<K extends ObservationKind> {
  /** The span; the observation writes its type to it. */
  readonly otelSpan: Span
  readonly attributes?: AttributesOf<K> | undefined
  /** Start time of the span; also the end time of an event. */
  readonly startTime?: TimeInput | undefined
  /** The context in which it was started. Default: the active one. */
  readonly context?: Context | undefined
}

/** The class of a kind, for `instanceof` and to make an observation of an existing span. */
export interface ObservationClass<K extends ObservationKind> {
  new (parts: ObservationParts<K>): ObservationOf<K>
  readonly prototype: ObservationOf<K>
}

/** Options of `observation.startObservation`. */
export interface ChildOptions<K extends ObservationKind = ObservationKind> {
  /** What it stands for. Default `span`. */
  readonly asType?: K | undefined
  /** Start time, default now: a Date, milliseconds since 1970, or `[seconds, nanoseconds]`. */
  readonly startTime?: TimeInput | undefined
}

/** Options of `startObservation`. */
export interface StartObservationOptions<K extends ObservationKind = ObservationKind> extends ChildOptions<K> {
  /** The parent; default is the active span. For work that was started by another process or request. */
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
  /** Name of the observation. Default: the name of the function, or `anonymous-function`. */
  readonly name?: string | undefined
  /** What it stands for. Default `span`. */
  readonly asType?: K | undefined
  /** Record the arguments as input: a single one as it is, several as an array. Default true, if content is recorded. */
  readonly captureInput?: boolean | undefined
  /** Record the returned value, or the chunks of a stream, as output. Default true. */
  readonly captureOutput?: boolean | undefined
  /** The parent; default is the active span. */
  readonly parentSpanContext?: SpanContext | undefined
  /** End the observation when the work has come to its end. With false that is left to you. Default true. */
  readonly endOnExit?: boolean | undefined
}
