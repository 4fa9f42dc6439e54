import type { Context, Span, TimeInput } from '@opentelemetry/api'
import { context } from '@svc/core/api'
import { attempt } from '@svc/core/attempt'
import { inheritPropagated } from '@svc/core/context'
import { withSpan } from '@svc/core/flat-context'
import { warnOnce } from '@svc/core/log'
import { own } from '@svc/core/own'
import { type AttributesOf, isInstant, kindOf, kinds, type ObservationKind, typeAttribute } from './kinds.ts'
import type { ChildOptions, ObservationClass, ObservationOf, ObservationParts } from './observation-types.ts'
import { markPublic } from './public-trace.ts'
import { startSpan, timeOf } from './span.ts'
import { writeObservation } from './write.ts'

/** An observation: writes to one OpenTelemetry span. Its public types are in `observation-types.ts`. */
class Observation<K extends ObservationKind> {
  readonly otelSpan: Span
  readonly id: string
  readonly traceId: string
  readonly type: K
  readonly #context: Context
  readonly #startTime: TimeInput | undefined
  #ended = false

  /** @param hasType whether the span was started with its type */
  constructor(kind: K, { otelSpan, attributes, startTime, context: origin }: ObservationParts<K>, hasType: boolean) {
    const { spanId, traceId } = otelSpan.spanContext()
    this.otelSpan = otelSpan
    this.id = spanId
    this.traceId = traceId
    this.type = kind
    this.#context = origin ?? context.active()
    this.#startTime = startTime
    if (!hasType) attempt('write a type', () => otelSpan.setAttributes(typeAttribute(kind)))
    writeObservation(otelSpan, kind, attributes)
  }

  end(endTime?: TimeInput): void {
    if (this.#ended) return
    this.#ended = true
    const time = isInstant(this.type) ? this.#startTime : timeOf(endTime, 'endTime')
    attempt('end a span', () => {
      // The application may have called `otelSpan.end()`.
      if (this.otelSpan.isRecording()) this.otelSpan.end(time)
    })
  }

  startObservation<C extends ObservationKind = 'span'>(
    name: string,
    attributes?: AttributesOf<C>,
    options?: ChildOptions<C>,
  ): ObservationOf<C> {
    // If no context is active (a callback, a runtime without context manager), the child still gets the user and
    // session of its parent.
    const parent = withSpan(inheritPropagated(context.active(), this.#context), this.otelSpan)
    return endIfInstant(startIn(parent, name, attributes, options ?? {}))
  }

  setTraceAsPublic(): this {
    markPublic(this.otelSpan)
    return this
  }

  static hasEnded(observation: Observation<ObservationKind>): boolean {
    return observation.#ended
  }
}

/** An observation with a duration, which can be updated. */
class LastingObservation<K extends ObservationKind> extends Observation<K> {
  update(attributes: AttributesOf<K>): this {
    if (!Observation.hasEnded(this)) writeObservation(this.otelSpan, this.type, attributes)
    else warnOnce('an observation was updated after its end, so the update is lost: call end() last.')
    return this
  }
}

/** The class of each kind, so that `instanceof` can distinguish them. */
export const CLASSES = Object.fromEntries(kinds.map((kind) => [kind, classOf(kind)])) as {
  readonly [K in ObservationKind]: ObservationClass<K>
}

/** Starts an observation in `parent` and leaves it open, also if it is a point in time. */
export function startIn<K extends ObservationKind>(
  parent: Context,
  name: string,
  attributes: AttributesOf<K> | undefined,
  options: ChildOptions<K>,
): ObservationOf<K> {
  const kind = kindOf(own(options, 'asType'))
  const began = timeOf(own(options, 'startTime'), 'startTime') ?? (isInstant(kind) ? new Date() : undefined)
  const otelSpan = startSpan(kind, name, began, parent)
  const Started = CLASSES[kind] as new (parts: ObservationParts<K>, hasType: boolean) => ObservationOf<K>
  return new Started({ otelSpan, attributes, startTime: began, context: parent }, true)
}

/** Ends an observation that is a point in time, and returns it. */
export function endIfInstant<K extends ObservationKind>(observation: ObservationOf<K>): ObservationOf<K> {
  if (isInstant(observation.type)) observation.end()
  return observation
}

function classOf<K extends ObservationKind>(kind: K): ObservationClass<K> {
  const Base = isInstant(kind) ? Observation : LastingObservation
  const named = class extends Base<K> {
    constructor(parts: ObservationParts<K>, hasType = false) {
      super(kind, parts, hasType)
    }
  }
  Object.defineProperty(named, 'name', { value: `Svc${kind.charAt(0).toUpperCase()}${kind.slice(1)}` })
  return named as unknown as ObservationClass<K>
}
