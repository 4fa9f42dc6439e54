import { type Context, context, type Span, type TimeInput } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { ATTRIBUTE } from '@svc/core/attributes'
import { inheritPropagated } from '@svc/core/context'
import { withSpan } from '@svc/core/flat-context'
import { warnOnce } from '@svc/core/log'
import { type AttributesOf, endsItself, kindOf, kinds, type ObservationKind } from './kinds.ts'
import type { ChildOptions, ObservationClass, ObservationOf, ObservationParts } from './observation-types.ts'
import { startSpan, timeOf } from './span.ts'
import { typeAttribute, writeObservation } from './write.ts'

/** One piece of work, standing on one OpenTelemetry span. The face it shows is in `observation-types.ts`. */
class Observation<K extends ObservationKind> {
  readonly otelSpan: Span
  readonly id: string
  readonly traceId: string
  readonly type: K
  readonly #context: Context
  readonly #startTime: TimeInput | undefined
  #ended = false

  constructor(kind: K, { otelSpan, attributes, startTime, context: origin }: ObservationParts<K>) {
    const { spanId, traceId } = otelSpan.spanContext()
    this.otelSpan = otelSpan
    this.id = spanId
    this.traceId = traceId
    this.type = kind
    this.#context = origin ?? context.active()
    this.#startTime = startTime
    attempt('write a type', () => otelSpan.setAttributes(typeAttribute(kind)))
    writeObservation(otelSpan, kind, attributes)
  }

  end(endTime?: TimeInput): void {
    if (this.#ended) return
    this.#ended = true
    const time = endsItself(this.type) ? this.#startTime : timeOf(endTime, 'endTime')
    attempt('end a span', () => {
      // It may have been ended by way of `otelSpan`.
      if (this.otelSpan.isRecording()) this.otelSpan.end(time)
    })
  }

  startObservation<C extends ObservationKind = 'span'>(
    name: string,
    attributes?: AttributesOf<C>,
    options?: ChildOptions<C>,
  ): ObservationOf<C> {
    // Where no context is active (a callback, a runtime without context manager) the child still belongs to the user
    // and session of its parent.
    const parent = withSpan(inheritPropagated(context.active(), this.#context), this.otelSpan)
    return ended(startIn(parent, name, attributes, options ?? {}))
  }

  setTraceAsPublic(): this {
    markPublic(this.otelSpan)
    return this
  }

  static hasEnded(observation: Observation<ObservationKind>): boolean {
    return observation.#ended
  }
}

/** One that does not end itself: there is time to say more of it. */
class LastingObservation<K extends ObservationKind> extends Observation<K> {
  update(attributes: AttributesOf<K>): this {
    if (!Observation.hasEnded(this)) writeObservation(this.otelSpan, this.type, attributes)
    else warnOnce('an observation was updated after its end, so the update is lost: call end() last.')
    return this
  }
}

/** The class of each kind: `Observation` by the name of the kind, so that `instanceof` can tell them apart. */
export const CLASSES = Object.fromEntries(kinds.map((kind) => [kind, classOf(kind)])) as {
  readonly [K in ObservationKind]: ObservationClass<K>
}

/** Starts an observation in `parent`. It is open, even if it is of a kind that ends itself. */
export function startIn<K extends ObservationKind>(
  parent: Context,
  name: string,
  attributes: AttributesOf<K> | undefined,
  { asType, startTime }: ChildOptions<K>,
): ObservationOf<K> {
  const kind = kindOf(asType)
  const began = timeOf(startTime, 'startTime') ?? (endsItself(kind) ? new Date() : undefined)
  const otelSpan = startSpan(kind, name, began, parent)
  return new CLASSES[kind]({ otelSpan, attributes, startTime: began, context: parent })
}

/** The observation, ended if it is of a kind that ends itself. */
export function ended<K extends ObservationKind>(observation: ObservationOf<K>): ObservationOf<K> {
  if (endsItself(observation.type)) observation.end()
  return observation
}

export function markPublic(span: Span): void {
  attempt('make a trace public', () => {
    if (span.isRecording()) span.setAttribute(ATTRIBUTE.TRACE_PUBLIC, true)
  })
}

function classOf<K extends ObservationKind>(kind: K): ObservationClass<K> {
  const Base = endsItself(kind) ? Observation : LastingObservation
  const named = class extends Base<K> {
    constructor(parts: ObservationParts<K>) {
      super(kind, parts)
    }
  }
  Object.defineProperty(named, 'name', { value: `Svc${kind.charAt(0).toUpperCase()}${kind.slice(1)}` })
  return named as unknown as ObservationClass<K>
}
