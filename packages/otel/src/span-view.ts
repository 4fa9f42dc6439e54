import type { Attributes, AttributeValue, SpanContext } from '@opentelemetry/api'
import { valueAt } from '@svc/core/json'
import type { ReadableSpan } from './sdk.ts'

/** The same span with other attributes. */
export function withAttributes(span: ReadableSpan, attributes: Attributes): ReadableSpan {
  return viewOf(span, span.parentSpanContext, attributes)
}

/** The same span under another parent, or under none. */
export function withParent(span: ReadableSpan, parent: SpanContext | undefined): ReadableSpan {
  return viewOf(span, parent, span.attributes)
}

/** One attribute, also where reading it throws. */
export function attributeOf(span: ReadableSpan, key: string): AttributeValue | undefined {
  return valueAt(span.attributes, key) as AttributeValue | undefined
}

/**
 * A modified copy of an ended span, for delivery. The span itself is shared with all other processors, so it is never
 * modified. Ended spans do not change, so copying the members works for any implementation, with private fields or not.
 */
function viewOf(span: ReadableSpan, parent: SpanContext | undefined, attributes: Attributes): ReadableSpan {
  const view: ReadableSpan & { parentSpanContext?: SpanContext } = {
    name: span.name,
    kind: span.kind,
    spanContext: () => span.spanContext(),
    startTime: span.startTime,
    endTime: span.endTime,
    status: span.status,
    attributes,
    links: span.links,
    events: span.events,
    duration: span.duration,
    ended: span.ended,
    resource: span.resource,
    instrumentationScope: span.instrumentationScope,
    droppedAttributesCount: span.droppedAttributesCount,
    droppedEventsCount: span.droppedEventsCount,
    droppedLinksCount: span.droppedLinksCount,
  }
  if (parent) view.parentSpanContext = parent
  return view
}
