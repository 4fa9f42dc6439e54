import {
  type Attributes,
  type AttributeValue,
  type Context,
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
  addHrTimes,
  cleanAttributes,
  cleanSimpleAttributes,
  hrTime,
  hrTimeDuration,
  type InstrumentationScope,
  isTimeInput,
  isTimeInputHrTime,
  millisToHrTime,
} from '@opentelemetry/core'
import type { Resource } from '@opentelemetry/resources'
import type { ReadableSpan, SpanLimits, SpanProcessor, TimedEvent } from '@opentelemetry/sdk-trace'
import { unwatched } from '../outside.ts'
import { ended } from '../watchers.ts'
import { addAttribute, charactersIn } from './add-attribute.ts'
import { exceptionAttributes } from './exception-attributes.ts'

/** The values that all spans of a tracer share. */
export interface SpanOrigin {
  readonly resource: Resource
  readonly scope: InstrumentationScope
  readonly limits: Required<SpanLimits>
  readonly processors: readonly SpanProcessor[]
}

const UNSET: SpanStatus = Object.freeze({ code: SpanStatusCode.UNSET })

/**
 * A span with the fields and behaviour of the OpenTelemetry SDK's, at two thirds of its cost: without a Set per value,
 * without metrics and repeated checks, and with clocks read {@link outside} without closures.
 */
export class LeanSpan implements Span, ReadableSpan {
  readonly kind: SpanKind
  readonly parentSpanContext?: SpanContext
  readonly attributes: Attributes = {}
  readonly startTime: HrTime
  name: string
  endTime: HrTime = [0, 0]
  status: SpanStatus = UNSET
  links: Link[] = []
  events: TimedEvent[] = []
  ended = false
  duration: HrTime = [-1, -1]
  droppedAttributesCount = 0
  droppedEventsCount = 0
  droppedLinksCount = 0
  // Not `#private`, because a Proxy of a span, or a class derived from it, calls its methods on itself.
  private readonly context: SpanContext
  private readonly origin: SpanOrigin
  /** The start by the monotonic clock; undefined if a start time was given. */
  private readonly startedAt: number | undefined
  /** The system clock minus the monotonic clock, which counts from `performance.timeOrigin`. */
  private readonly ahead: number
  private attributesCount = 0
  private characters = 0

  /** To be created {@link unwatched}, followed by {@link LeanSpan.start}. */
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
    this.context = spanContext
    this.origin = origin
    this.ahead = now - monotonic
    this.startedAt = options.startTime == null ? monotonic : undefined
    this.kind = options.kind ?? SpanKind.INTERNAL
    if (parent) this.parentSpanContext = parent
    this.startTime = LeanSpan.timeOf(this, options.startTime ?? now)
    const invalid = options.attributes ? this.write(options.attributes) : 0
    this.droppedAttributesCount += invalid
    if (options.links) for (const link of options.links) if (link) this.keepLink(link)
  }

  /** Notifies the processors. */
  start(context: Context): void {
    for (let at = 0; at < this.origin.processors.length; at++) this.origin.processors[at]?.onStart(this, context)
  }

  get resource(): Resource {
    return this.origin.resource
  }

  get instrumentationScope(): InstrumentationScope {
    return this.origin.scope
  }

  /** What the processor bounds the spans by that wait for others: see `EndedSpans` of `@svc/otel`. */
  get heldCharacters(): number {
    return this.events.length + this.links.length === 0 ? this.characters : Number.POSITIVE_INFINITY
  }

  spanContext(): SpanContext {
    return this.context
  }

  isRecording(): boolean {
    return !this.ended
  }

  setAttribute(key: string, value: AttributeValue | undefined): this {
    if (this.isOpen()) this.writeOne(key, value)
    return this
  }

  setAttributes(attributes: Attributes): this {
    if (this.isOpen()) this.write(attributes)
    return this
  }

  addEvent(name: string, attributesOrTime?: Attributes | TimeInput, time?: TimeInput): this {
    if (!this.isOpen()) return this
    const { limits } = this.origin
    if (limits.eventCountLimit === 0) {
      this.droppedEventsCount++
      return this
    }
    if (this.events.length >= limits.eventCountLimit) {
      this.events.shift()
      this.droppedEventsCount++
    }
    const isTime = isTimeInput(attributesOrTime)
    const at = isTime && !isTimeInput(time) ? attributesOrTime : time
    const cleaned = cleanSimpleAttributes(isTime ? undefined : (attributesOrTime as Attributes | undefined), {
      attributeCountLimit: limits.attributePerEventCountLimit,
      attributeValueLengthLimit: limits.attributeValueLengthLimit,
    })
    this.events.push({ name, time: unwatched(LeanSpan.timeOf, this, at), ...cleaned })
    return this
  }

  addLink(link: Link): this {
    if (link && this.isOpen()) this.keepLink(link)
    return this
  }

  addLinks(links: Link[]): this {
    for (const link of links) this.addLink(link)
    return this
  }

  setStatus(status: SpanStatus): this {
    const { code, message } = status ?? UNSET
    if (!this.isOpen() || code === SpanStatusCode.UNSET || this.status.code === SpanStatusCode.OK) return this
    this.status = code === SpanStatusCode.ERROR && typeof message === 'string' ? { code, message } : { code }
    return this
  }

  updateName(name: string): this {
    if (this.isOpen()) this.name = name
    return this
  }

  recordException(exception: Exception, time?: TimeInput): void {
    const attributes = exceptionAttributes(exception)
    if (attributes) this.addEvent('exception', attributes, time)
    else diag.warn('An exception without type and message is not recorded.')
  }

  end(time?: TimeInput): void {
    if (!this.isOpen()) return
    unwatched(LeanSpan.finish, this, time)
    ended(this)
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
    // OpenTelemetry treats a small number as a reading of the monotonic clock.
    if (typeof time === 'number') {
      return time <= performance.now() ? hrTime(time + span.ahead - performance.timeOrigin) : millisToHrTime(time)
    }
    if (time instanceof Date) return millisToHrTime(time.getTime())
    if (isTimeInputHrTime(time)) return [...time]
    if (span.startedAt === undefined) return millisToHrTime(Date.now())
    return addHrTimes(span.startTime, millisToHrTime(performance.now() - span.startedAt))
  }

  /** @returns how many are no attributes: at the start of a span the SDK counts them as dropped, later it does not */
  private write(attributes: Attributes): number {
    let invalid = 0
    for (const key in attributes) {
      if (!Object.hasOwn(attributes, key)) continue
      if (this.writeOne(key, attributes[key]) === AddAttributeDecision.DROP_INVALID) invalid++
    }
    return invalid
  }

  private writeOne(key: string, value: AttributeValue | undefined): AddAttributeDecision {
    const decision = addAttribute(this.attributes, key, value, this.attributesCount, this.origin.limits)
    this.characters += typeof value === 'string' ? value.length : charactersIn(value)
    if (decision === AddAttributeDecision.ADD_NEW) this.attributesCount++
    else if (decision === AddAttributeDecision.DROP_LIMIT_REACHED) this.droppedAttributesCount++
    return decision
  }

  private keepLink({ context, attributes }: Link): void {
    const { limits } = this.origin
    if (this.links.length >= limits.linkCountLimit) {
      this.droppedLinksCount++
      if (limits.linkCountLimit === 0) return
      this.links.shift()
    }
    const cleaned = cleanAttributes(attributes, {
      attributeCountLimit: limits.attributePerLinkCountLimit,
      attributeValueLengthLimit: limits.attributeValueLengthLimit,
    })
    this.links.push({ context, ...cleaned })
  }

  private isOpen(): boolean {
    if (this.ended) diag.warn(`The span "${this.name}" has ended; what is written to it now is lost.`)
    return !this.ended
  }
}
