import type { Attributes, AttributeValue, SpanContext } from '@opentelemetry/api'
import { RAW_ANSWERS } from '@svc/core/attributes/constants'
import { valueAt } from '@svc/core/json'
import type { ReadableSpan } from './sdk.ts'

/** A modified copy of an ended span. */
type View = ReadableSpan & { parentSpanContext?: SpanContext }

/**
 * The same ended span with other attributes, for delivery. The span itself is shared with all other processors, so it is
 * never modified. Ended spans do not change, so copying the members works for any implementation, with private fields or
 * not.
 */
export function withAttributes(span: ReadableSpan, attributes: Attributes): View {
  const view: View = {
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
  if (span.parentSpanContext) view.parentSpanContext = span.parentSpanContext
  return view
}

/** The same span under another parent, or under none. */
export function withParent(span: ReadableSpan, parent: SpanContext | undefined): ReadableSpan {
  const view = withAttributes(span, span.attributes)
  if (parent) view.parentSpanContext = parent
  else delete view.parentSpanContext
  return view
}

/**
 * The same attributes without raw answers. These say a word in several pieces: where something of a call is hidden, none
 * is kept.
 */
export function withoutRaw(attributes: Attributes): Attributes {
  if (valueAt(attributes, RAW_ANSWERS) === undefined) return attributes
  const { [RAW_ANSWERS]: _, ...rest } = attributes
  return rest
}

/** One attribute, also where reading it throws. */
export function attributeOf(span: ReadableSpan, key: string): AttributeValue | undefined {
  return valueAt(span.attributes, key) as AttributeValue | undefined
}
