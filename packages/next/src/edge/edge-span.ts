import type {
  Attributes,
  AttributeValue,
  Exception,
  HrTime,
  Link,
  Span,
  SpanContext,
  SpanOptions,
  SpanStatus,
  TimeInput,
} from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { warnOnce } from '@svc/core/log'
import type { InstrumentationScope, ReadableSpan, Resource, TimedEvent } from '@svc/otel/edge'

/** Attributes, events and links that one span may have: OpenTelemetry's default. */
const LIMIT = 128
/** Seconds since 1970 whose nanoseconds OTLP has no room for: 64 bits. */
const LATEST = 2 ** 64 / 1e9

/** The values that all spans of a tracer share. */
export interface EdgeSpanOrigin {
  readonly scope: InstrumentationScope
  readonly resource: Resource
  /** Called once, when the span has ended. */
  onEnd(span: EdgeSpan): void
}

/**
 * A span of an edge runtime: what OpenTelemetry promises of a span, without what needs an SDK (limits of the user's).
 * Never throws into the code that writes to it.
 */
export class EdgeSpan implements Span, ReadableSpan {
  readonly kind: number
  readonly parentSpanContext?: SpanContext
  readonly attributes: Attributes = {}
  readonly links: Link[] = []
  readonly events: TimedEvent[] = []
  readonly startTime: HrTime
  name: string
  endTime: HrTime = [0, 0]
  duration: HrTime = [-1, -1]
  status: SpanStatus = { code: 0 }
  ended = false
  droppedAttributesCount = 0
  droppedEventsCount = 0
  droppedLinksCount = 0
  readonly #context: SpanContext
  readonly #origin: EdgeSpanOrigin
  /** Milliseconds by the monotonic clock, where the start is not given. */
  readonly #startedAt: number | undefined

  constructor(
    name: string,
    context: SpanContext,
    parent: SpanContext | undefined,
    { kind = 0, attributes, links, startTime }: SpanOptions,
    origin: EdgeSpanOrigin,
  ) {
    this.name = name
    this.kind = kind
    this.#context = context
    this.#origin = origin
    if (parent) this.parentSpanContext = parent
    const given = timeOf(startTime, 'startTime')
    this.#startedAt = given ? undefined : performance.now()
    this.startTime = given ?? hrTime(Date.now())
    this.setAttributes(attributes)
    this.addLinks(links)
  }

  get instrumentationScope(): InstrumentationScope {
    return this.#origin.scope
  }

  get resource(): Resource {
    return this.#origin.resource
  }

  spanContext(): SpanContext {
    return this.#context
  }

  isRecording(): boolean {
    return !this.ended
  }

  setAttribute(key: string, value: AttributeValue | undefined): this {
    return this.#change(() => {
      if (key === '' || !isValue(value)) return
      if (key in this.attributes || Object.keys(this.attributes).length < LIMIT) {
        this.attributes[key] = Array.isArray(value) ? [...value] : value
      } else this.droppedAttributesCount += 1
    })
  }

  setAttributes(attributes: Attributes | null | undefined): this {
    return this.#change(() => {
      for (const key of Object.keys(attributes ?? {})) this.setAttribute(key, attributes?.[key])
    })
  }

  addEvent(name: string, attributesOrTime?: Attributes | TimeInput, time?: TimeInput): this {
    return this.#change(() => {
      const isTime = isTimeInput(attributesOrTime)
      if (this.events.length >= LIMIT) {
        this.events.shift()
        this.droppedEventsCount += 1
      }
      const event: TimedEvent = {
        name,
        time: timeOf(time ?? (isTime ? attributesOrTime : undefined), 'time') ?? this.#now(),
        attributes: {},
      }
      this.events.push(event)
      if (!isTime) event.attributes = { ...attributesOrTime }
    })
  }

  addLink(link: Link): this {
    return this.#change(() => {
      if (!link) return
      if (this.links.length < LIMIT) this.links.push(link)
      else this.droppedLinksCount += 1
    })
  }

  addLinks(links: Link[] | null | undefined): this {
    return this.#change(() => {
      for (const link of links ?? []) this.addLink(link)
    })
  }

  setStatus(status: SpanStatus): this {
    return this.#change(() => {
      const { code = 0, message } = status ?? {}
      // A status "ok" is final.
      if (code === 0 || this.status.code === 1) return
      this.status = code === 2 && typeof message === 'string' ? { code, message } : { code }
    })
  }

  updateName(name: string): this {
    return this.#change(() => {
      this.name = name
    })
  }

  recordException(exception: Exception, time?: TimeInput): void {
    this.#change(() => {
      const { code, name, message, stack }: Details =
        typeof exception === 'string' ? { message: exception } : (exception ?? {})
      const type = (isScalar(code) && String(code)) || name
      if (!type && !message) return
      const attributes = {
        ...(type && { 'exception.type': type }),
        ...(message && { 'exception.message': message }),
        ...(stack && { 'exception.stacktrace': stack }),
      }
      this.addEvent('exception', attributes, time)
    })
  }

  end(time?: TimeInput): void {
    if (this.ended) return
    this.endTime = timeOf(time, 'endTime') ?? this.#now()
    const [seconds, nanoseconds] = this.startTime
    const duration = Math.max(0, (this.endTime[0] - seconds) * 1e9 + this.endTime[1] - nanoseconds)
    // No span ends before it starts.
    if (duration === 0) this.endTime = this.startTime
    this.duration = [Math.trunc(duration / 1e9), duration % 1e9]
    this.ended = true
    this.#origin.onEnd(this)
  }

  /** Leaves out values that cannot be read. */
  #change(write: () => void): this {
    if (!this.ended) attempt('write to a span', write)
    return this
  }

  #now(): HrTime {
    if (this.#startedAt === undefined) return hrTime(Date.now())
    const [seconds, nanoseconds] = this.startTime
    return hrTime(seconds * 1_000 + nanoseconds / 1e6 + performance.now() - this.#startedAt)
  }
}

interface Details {
  readonly code?: string | number
  readonly name?: string
  readonly message?: string
  readonly stack?: string
}

function isTimeInput(value: unknown): value is TimeInput {
  return typeof value === 'number' || value instanceof Date || Array.isArray(value)
}

/**
 * Returns a time of the caller if it is one. Small numbers are readings of the monotonic clock, as everywhere in
 * OpenTelemetry.
 */
function timeOf(time: TimeInput | null | undefined, what: 'startTime' | 'endTime' | 'time'): HrTime | undefined {
  if (time === undefined || time === null) return undefined
  const isReading = typeof time === 'number' && time <= performance.now()
  const [seconds = -1, nanoseconds = Number.NaN] =
    attempt('read a time', () => [
      ...(Array.isArray(time) ? time : hrTime(isReading ? time + performance.timeOrigin : Number(time))),
    ]) ?? []
  if (Number.isInteger(seconds) && seconds >= 0 && seconds < LATEST && Number.isFinite(nanoseconds)) {
    return [seconds, nanoseconds]
  }
  warnOnce(`${what} of an observation is ignored: expected a Date, milliseconds or [seconds, nanoseconds].`)
  return undefined
}

function hrTime(ms: number): HrTime {
  const seconds = Math.trunc(ms / 1_000)
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)]
}

function isValue(value: unknown): boolean {
  return Array.isArray(value) ? value.every((each) => each == null || isScalar(each)) : isScalar(value)
}

const SCALARS = ['string', 'number', 'boolean']

const isScalar = (value: unknown): boolean => SCALARS.includes(typeof value)
