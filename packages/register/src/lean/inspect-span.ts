import type { ReadableSpan } from '@opentelemetry/sdk-trace'

/** The name of the method by which an object decides what `console.log` shows of it. Global, as in `node:util`. */
export const INSPECT = Symbol.for('nodejs.util.inspect.custom')

/** Returns what `console.log` shows of a span: the members that the OpenTelemetry SDK shows of its own. */
export function inspectSpan(span: ReadableSpan): object {
  const { name, kind, parentSpanContext, status, startTime, endTime, duration, ended, attributes, events, links } = span
  const { droppedAttributesCount, droppedEventsCount, droppedLinksCount, instrumentationScope } = span
  return {
    ...{ name, kind, spanContext: span.spanContext(), parentSpanContext, status, startTime, endTime, duration, ended },
    ...{ attributes, events, links, droppedAttributesCount, droppedEventsCount, droppedLinksCount },
    ...{ instrumentationScope, resource: { attributes: span.resource.attributes } },
  }
}
