import type { Attributes, HrTime, SpanContext } from '@opentelemetry/api'
import { toText } from '@svc/core/json'
import type { ReadableSpan, Resource, InstrumentationScope as Scope } from '../../sdk.ts'

// OTLP as JSON (`opentelemetry/proto/trace/v1/trace.proto`).

// `flags`: the W3C trace flags, and whether the parent (or the linked span) is in another process.
const FLAGS_KNOW_REMOTE = 0x100
const FLAGS_REMOTE = 0x200

/** One span. Throws where the span does when it is read, and at a list that contains itself. */
export function spanJson(span: ReadableSpan): string {
  const { parentSpanContext: parent } = span
  const context = span.spanContext()
  return JSON.stringify({
    ...idsOf(context),
    parentSpanId: parent?.spanId || undefined,
    flags: flagsOf(context, parent),
    name: span.name,
    // OTLP counts from 1, the API from 0.
    kind: span.kind + 1,
    startTimeUnixNano: nanoseconds(span.startTime),
    endTimeUnixNano: nanoseconds(span.endTime),
    attributes: pairs(span.attributes),
    droppedAttributesCount: span.droppedAttributesCount,
    events: span.events.map(({ name, time, attributes }) => ({
      name,
      timeUnixNano: nanoseconds(time),
      attributes: pairs(attributes),
    })),
    droppedEventsCount: span.droppedEventsCount,
    links: span.links
      .filter((link) => link.context?.traceId && link.context.spanId)
      .map((link) => ({
        ...idsOf(link.context),
        flags: flagsOf(link.context, link.context),
        attributes: pairs(link.attributes),
      })),
    droppedLinksCount: span.droppedLinksCount,
    status: { code: span.status.code, message: span.status.message },
  })
}

/** Spans that are written already. */
export type SpansByResource = Map<Resource, Map<Scope, string[]>>

/** A request with these spans. */
export function requestJson(spans: SpansByResource): string {
  const all = [...spans].map(([resource, scopes]) => {
    const scopeSpans = [...scopes].map(([scope, texts]) => {
      const { name, version } = scope
      return `{"scope":${JSON.stringify({ name, version })},"spans":[${texts.join()}]}`
    })
    return `{"resource":{"attributes":${JSON.stringify(pairs(resource.attributes))}},"scopeSpans":[${scopeSpans.join()}]}`
  })
  return `{"resourceSpans":[${all.join()}]}`
}

function idsOf({ traceId, spanId, traceState }: SpanContext) {
  return { traceId, spanId, traceState: traceState?.serialize() || undefined }
}

function flagsOf({ traceFlags }: SpanContext, other: SpanContext | undefined): number {
  return (traceFlags & 0xff) | FLAGS_KNOW_REMOTE | (other?.isRemote ? FLAGS_REMOTE : 0)
}

// As text: a number of JSON cannot hold it.
function nanoseconds([seconds, nanos]: HrTime): string {
  return `${BigInt(seconds) * 1_000_000_000n + BigInt(Math.round(nanos))}`
}

function pairs(attributes: Attributes | undefined) {
  return Object.entries(attributes ?? {}).flatMap(([key, value]) =>
    value == null ? [] : [{ key, value: anyValue(value) }],
  )
}

function anyValue(value: unknown): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number') {
    return Number.isSafeInteger(value)
      ? { intValue: String(value) }
      : { doubleValue: Number.isFinite(value) ? value : String(value) }
  }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } }
  return value == null ? {} : { stringValue: toText(value) }
}
