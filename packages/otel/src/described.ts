import type { ReadableSpan } from './sdk.ts'

/** The members of a span that the debug log has. */
export function described(span: ReadableSpan) {
  const { traceId, spanId } = span.spanContext()
  return {
    name: span.name,
    traceId,
    spanId,
    parentSpanId: span.parentSpanContext?.spanId,
    attributes: span.attributes,
    startTime: span.startTime,
    endTime: span.endTime,
    resource: span.resource?.attributes,
    scope: span.instrumentationScope,
  }
}
