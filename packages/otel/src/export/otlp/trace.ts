import type { Attributes, Link, SpanContext, SpanStatus } from '@opentelemetry/api'
import type { ReadableSpan, TimedEvent } from '../../sdk.ts'
import { writeAttributes } from './value.ts'
import type { ProtobufWriter } from './writer.ts'

/** Field numbers of `opentelemetry/proto/trace/v1/trace.proto` and what it is made of. */
const REQUEST = { RESOURCE_SPANS: 1 } as const
const RESOURCE_SPANS = { RESOURCE: 1, SCOPE_SPANS: 2, SCHEMA_URL: 3 } as const
const RESOURCE = { ATTRIBUTES: 1 } as const
const SCOPE_SPANS = { SCOPE: 1, SPANS: 2, SCHEMA_URL: 3 } as const
const SCOPE = { NAME: 1, VERSION: 2 } as const
const SPAN = {
  TRACE_ID: 1,
  SPAN_ID: 2,
  TRACE_STATE: 3,
  PARENT_SPAN_ID: 4,
  NAME: 5,
  KIND: 6,
  START: 7,
  END: 8,
  ATTRIBUTES: 9,
  DROPPED_ATTRIBUTES: 10,
  EVENTS: 11,
  DROPPED_EVENTS: 12,
  LINKS: 13,
  DROPPED_LINKS: 14,
  STATUS: 15,
  FLAGS: 16,
} as const
const EVENT = { TIME: 1, NAME: 2, ATTRIBUTES: 3, DROPPED_ATTRIBUTES: 4 } as const
const LINK = { TRACE_ID: 1, SPAN_ID: 2, TRACE_STATE: 3, ATTRIBUTES: 4, DROPPED_ATTRIBUTES: 5, FLAGS: 6 } as const
const STATUS = { MESSAGE: 2, CODE: 3 } as const

// `flags`: the W3C trace flags, and whether the parent (or the linked span) is in another process.
const FLAGS_KNOW_REMOTE = 0x100
const FLAGS_REMOTE = 0x200

/**
 * Writes an OTLP `ExportTraceServiceRequest` around encoded spans: `spans` writes those of one scope of one resource.
 */
export function writeScopeSpans(
  writer: ProtobufWriter,
  scope: ReadableSpan['instrumentationScope'],
  spans: (writer: ProtobufWriter) => void,
): void {
  const scopeSpans = writer.open(RESOURCE_SPANS.SCOPE_SPANS)
  const written = writer.open(SCOPE_SPANS.SCOPE)
  writer.string(SCOPE.NAME, scope?.name)
  if (scope?.version) writer.string(SCOPE.VERSION, scope.version)
  writer.close(written)
  spans(writer)
  if (scope?.schemaUrl) writer.string(SCOPE_SPANS.SCHEMA_URL, scope.schemaUrl)
  writer.close(scopeSpans)
}

/** The same for what lies in one resource: `scopeSpans` writes the scopes. */
export function writeResourceSpans(
  writer: ProtobufWriter,
  resource: ReadableSpan['resource'],
  scopeSpans: (writer: ProtobufWriter) => void,
): void {
  const resourceSpans = writer.open(REQUEST.RESOURCE_SPANS)
  const written = writer.open(RESOURCE_SPANS.RESOURCE)
  writeResource(writer, resource?.attributes ?? {})
  writer.close(written)
  scopeSpans(writer)
  if (resource?.schemaUrl) writer.string(RESOURCE_SPANS.SCHEMA_URL, resource.schemaUrl)
  writer.close(resourceSpans)
}

/** An attribute that cannot be written must not cost a whole request. */
function writeResource(writer: ProtobufWriter, attributes: Attributes): void {
  for (const key of Object.keys(attributes)) {
    const start = writer.length
    try {
      writeAttributes(writer, RESOURCE.ATTRIBUTES, { [key]: attributes[key] })
    } catch {
      writer.cut(start)
    }
  }
}

/** Writes a span as a field of its scope. Throws where the span does when it is read. */
export function writeSpan(writer: ProtobufWriter, span: ReadableSpan): void {
  const context = span.spanContext()
  const parent = span.parentSpanContext
  const start = writer.open(SCOPE_SPANS.SPANS)
  writer.hex(SPAN.TRACE_ID, context.traceId)
  writer.hex(SPAN.SPAN_ID, context.spanId)
  if (context.traceState) writer.string(SPAN.TRACE_STATE, context.traceState.serialize())
  if (parent?.spanId) writer.hex(SPAN.PARENT_SPAN_ID, parent.spanId)
  writer.string(SPAN.NAME, span.name)
  // OTLP counts from 1, the API from 0.
  writer.unsigned(SPAN.KIND, span.kind + 1)
  writer.nanoseconds(SPAN.START, span.startTime)
  writer.nanoseconds(SPAN.END, span.endTime)
  writeAttributes(writer, SPAN.ATTRIBUTES, span.attributes)
  if (span.droppedAttributesCount) writer.unsigned(SPAN.DROPPED_ATTRIBUTES, span.droppedAttributesCount)
  if (span.events.length > 0) for (const event of span.events) writeEvent(writer, event)
  if (span.droppedEventsCount) writer.unsigned(SPAN.DROPPED_EVENTS, span.droppedEventsCount)
  if (span.links.length > 0) for (const link of span.links) writeLink(writer, link)
  if (span.droppedLinksCount) writer.unsigned(SPAN.DROPPED_LINKS, span.droppedLinksCount)
  writeStatus(writer, span.status)
  writer.fixed32(SPAN.FLAGS, flagsOf(context, parent))
  writer.close(start)
}

function writeStatus(writer: ProtobufWriter, { code, message }: SpanStatus): void {
  const status = writer.open(SPAN.STATUS)
  if (message) writer.string(STATUS.MESSAGE, message)
  writer.unsigned(STATUS.CODE, code)
  writer.close(status)
}

function writeEvent(writer: ProtobufWriter, { time, name, attributes, droppedAttributesCount }: TimedEvent): void {
  const start = writer.open(SPAN.EVENTS)
  writer.nanoseconds(EVENT.TIME, time)
  writer.string(EVENT.NAME, name)
  writeAttributes(writer, EVENT.ATTRIBUTES, attributes ?? {})
  if (droppedAttributesCount) writer.unsigned(EVENT.DROPPED_ATTRIBUTES, droppedAttributesCount)
  writer.close(start)
}

function writeLink(writer: ProtobufWriter, { context, attributes, droppedAttributesCount }: Link): void {
  // The API accepts any link; an empty one must not lose the span.
  if (!context?.traceId || !context.spanId) return
  const start = writer.open(SPAN.LINKS)
  writer.hex(LINK.TRACE_ID, context.traceId)
  writer.hex(LINK.SPAN_ID, context.spanId)
  if (context.traceState) writer.string(LINK.TRACE_STATE, context.traceState.serialize())
  writeAttributes(writer, LINK.ATTRIBUTES, attributes ?? {})
  if (droppedAttributesCount) writer.unsigned(LINK.DROPPED_ATTRIBUTES, droppedAttributesCount)
  writer.fixed32(LINK.FLAGS, flagsOf(context, context))
  writer.close(start)
}

function flagsOf({ traceFlags }: SpanContext, other: SpanContext | undefined): number {
  return (traceFlags & 0xff) | FLAGS_KNOW_REMOTE | (other?.isRemote ? FLAGS_REMOTE : 0)
}
