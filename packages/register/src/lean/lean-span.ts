import {
  type Attributes,
  type AttributeValue,
  diag,
  type Exception,
  type HrTime,
  type Link,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  type SpanStatus,
  SpanStatusCode,
  type TimeInput,
} from '@opentelemetry/api'
import {
  AddAttributeDecision,
  hrTimeDuration,
  isTimeInput,
  maybeAddAttribute,
  millisToHrTime,
} from '@opentelemetry/core'
import type { ReadableSpan, TimedEvent } from '@opentelemetry/sdk-trace'
import { unwatched } from '../outside.ts'
import { ended, watchers } from '../watchers.ts'
import { charactersIn, plainSize } from './attribute-size.ts'
import { eventAttributes, linkAttributes } from './clean-attributes.ts'
import { exceptionAttributes } from './exception-attributes.ts'
import { INSPECT, inspectSpan } from './inspect-span.ts'
import type { SpanOrigin } from './span-origin.ts'
import { givenTime, laterBy } from './span-time.ts'

const UNSET: SpanStatus = Object.freeze({ code: SpanStatusCode.UNSET })

/**
 * A span with the fields and behaviour of the OpenTelemetry SDK's, at two thirds of its cost: without a Set per value,
 * without metrics and repeated checks, and with clocks read {@link outside} without closures.
 */
export class LeanSpan implements Span, ReadableSpan {
  // `declare`, and set by the constructor: V8 initializes fields in a function of its own.
  declare name: string
  declare readonly kind: SpanKind
  declare readonly parentSpanContext?: SpanContext
  declare readonly resource: SpanOrigin['resource']
  declare readonly instrumentationScope: SpanOrigin['scope']
  declare readonly attributes: Attributes
  declare readonly startTime: HrTime
  declare endTime: HrTime
  declare status: SpanStatus
  declare links: Link[]
  declare events: TimedEvent[]
  declare ended: boolean
  declare duration: HrTime
  declare droppedAttributesCount: number
  declare droppedEventsCount: number
  declare droppedLinksCount: number
  /** What the processor bounds the spans by that wait for others: see `EndedSpans` of `@svc/otel`. */
  declare heldCharacters: number
  // Not `#private`, because a Proxy of a span, or a class derived from it, calls its methods on itself.
  declare private readonly context: SpanContext
  declare private readonly origin: SpanOrigin
  /** The start by the monotonic clock; undefined if a start time was given. */
  declare private readonly startedAt: number | undefined
  /** The system clock minus the monotonic clock, which counts from `performance.timeOrigin`. */
  declare private readonly ahead: number
  declare private attributesCount: number

  /** To be created {@link unwatched}. The processors are then notified by the tracer. */
  constructor(
    name: string,
    spanContext: SpanContext,
    parent: SpanContext | undefined,
    options: SpanOptions,
    origin: SpanOrigin,
  ) {
    const now = Date.now()
    const monotonic = performance.now()
    this.name = name
    this.kind = options.kind ?? SpanKind.INTERNAL
    this.parentSpanContext = parent as SpanContext
    this.resource = origin.resource
    this.instrumentationScope = origin.scope
    this.attributes = {}
    this.endTime = [0, 0]
    this.status = UNSET
    this.links = []
    this.events = []
    this.ended = false
    this.duration = [-1, -1]
    this.droppedAttributesCount = 0
    this.droppedEventsCount = 0
    this.droppedLinksCount = 0
    this.heldCharacters = 0
    this.attributesCount = 0
    this.context = spanContext
    this.origin = origin
    this.ahead = now - monotonic
    this.startedAt = options.startTime == null ? monotonic : undefined
    this.startTime = options.startTime == null ? millisToHrTime(now) : LeanSpan.timeOf(this, options.startTime)
    // It counts some itself.
    if (options.attributes) this.droppedAttributesCount = this.write(options.attributes) + this.droppedAttributesCount
    if (options.links) for (const link of options.links) if (link) this.keepLink(link)
  }

  spanContext(): SpanContext {
    return this.context
  }

  isRecording(): boolean {
    return !this.ended
  }

  setAttribute(key: string, value: AttributeValue | undefined): this {
    if (this.ended) return this.refuse()
    this.writeOne(key, value)
    return this
  }

  setAttributes(attributes: Attributes): this {
    if (this.ended) return this.refuse()
    this.write(attributes)
    return this
  }

  addEvent(name: string, attributesOrTime?: Attributes | TimeInput, time?: TimeInput): this {
    if (this.ended) return this.refuse()
    const { limits } = this.origin
    if (this.events.length >= limits.eventCountLimit) {
      this.droppedEventsCount++
      if (limits.eventCountLimit === 0) return this
      this.events.shift()
    }
    const isTime = isTimeInput(attributesOrTime)
    const at = isTime && !isTimeInput(time) ? attributesOrTime : time
    const cleaned = eventAttributes(isTime ? undefined : (attributesOrTime as Attributes | undefined), limits)
    this.heldCharacters = Number.POSITIVE_INFINITY
    this.events.push({ name, time: unwatched(LeanSpan.timeOf, this, at), ...cleaned })
    return this
  }

  addLink(link: Link): this {
    if (this.ended) return this.refuse()
    if (link) this.keepLink(link)
    return this
  }

  addLinks(links: Link[]): this {
    for (const link of links) this.addLink(link)
    return this
  }

  setStatus(status: SpanStatus): this {
    if (this.ended) return this.refuse()
    const { code, message } = status ?? UNSET
    if (code === SpanStatusCode.UNSET || this.status.code === SpanStatusCode.OK) return this
    this.status = code === SpanStatusCode.ERROR && typeof message === 'string' ? { code, message } : { code }
    return this
  }

  updateName(name: string): this {
    if (this.ended) return this.refuse()
    this.name = name
    return this
  }

  recordException(exception: Exception, time?: TimeInput): void {
    const attributes = exceptionAttributes(exception)
    if (attributes) this.addEvent('exception', attributes, time)
    else diag.warn('An exception without type and message is not recorded.')
  }

  end(time?: TimeInput): void {
    if (this.ended) return void this.refuse()
    unwatched(LeanSpan.finish, this, time)
    if (watchers.size > 0) ended(this)
  }

  [INSPECT](): object {
    return inspectSpan(this)
  }

  private static finish(span: LeanSpan, time: TimeInput | undefined): void {
    span.endTime = LeanSpan.timeOf(span, time)
    span.duration = hrTimeDuration(span.startTime, span.endTime)
    if (span.duration[0] < 0) {
      diag.warn(`${span.name}: the end lies before the start, and is set to it.`)
      span.endTime = [...span.startTime]
      span.duration = [0, 0]
    }
    const { processors } = span.origin
    for (let at = 0; at < processors.length; at++) processors[at]?.onEnding?.(span)
    span.ended = true
    for (let at = 0; at < processors.length; at++) processors[at]?.onEnd(span)
  }

  private static timeOf(span: LeanSpan, time: TimeInput | undefined): HrTime {
    const given = time == null ? undefined : givenTime(time, span.ahead)
    if (given || span.startedAt === undefined) return given ?? millisToHrTime(Date.now())
    return laterBy(performance.now() - span.startedAt, span.startTime)
  }

  /** @returns how many are no attributes: at the start of a span the SDK counts them as dropped, later it does not */
  private write(attributes: Attributes): number {
    let invalid = 0
    for (const key in attributes) if (Object.hasOwn(attributes, key) && !this.writeOne(key, attributes[key])) invalid++
    return invalid
  }

  /** @returns whether it is an attribute: it may still be one too many */
  private writeOne(key: string, value: AttributeValue | undefined): boolean {
    const { attributeCountLimit, attributeValueLengthLimit: longest } = this.origin.limits
    const characters = typeof value === 'string' && value.length <= longest ? value.length : plainSize(value, longest)
    if (characters < 0 || key === '') return this.writeOther(key, value)
    this.heldCharacters += characters
    if (this.attributes[key] === undefined || !Object.hasOwn(this.attributes, key)) {
      if (this.attributesCount >= attributeCountLimit) {
        this.droppedAttributesCount++
        return true
      }
      this.attributesCount++
    }
    this.attributes[key] = Array.isArray(value) ? value.slice() : value
    return true
  }

  private writeOther(key: string, value: AttributeValue | undefined): boolean {
    const { attributes, attributesCount: currentAttributesCount } = this
    const decision = maybeAddAttribute({ attributes, key, value, limits: this.origin.limits, currentAttributesCount })
    this.heldCharacters += charactersIn(value)
    if (decision === AddAttributeDecision.ADD_NEW) this.attributesCount++
    else if (decision === AddAttributeDecision.DROP_LIMIT_REACHED) this.droppedAttributesCount++
    return decision !== AddAttributeDecision.DROP_INVALID
  }

  private keepLink({ context, attributes }: Link): void {
    const { limits } = this.origin
    if (this.links.length >= limits.linkCountLimit) {
      this.droppedLinksCount++
      if (limits.linkCountLimit === 0) return
      this.links.shift()
    }
    this.heldCharacters = Number.POSITIVE_INFINITY
    this.links.push({ context, ...linkAttributes(attributes, limits) })
  }

  private refuse(): this {
    diag.warn(`The span "${this.name}" has ended; what is written to it now is lost.`)
    return this
  }
}
