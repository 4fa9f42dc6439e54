import type { Attributes, AttributeValue, SpanContext } from '@opentelemetry/api'
import { RAW_ANSWERS } from '@svc/core/attributes/constants'
import { valueAt } from '@svc/core/json'
import type { ReadableSpan, Resource } from './sdk.ts'

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

/** What stands for the parts of a span. Each returns what it was given where nothing changes. */
export interface Replacements {
  readonly attributes: (attributes: Attributes) => Attributes
  /** Of the status. */
  readonly message: (text: string) => string
  /** Of the span and of its events. */
  readonly name: (text: string) => string
  readonly resource: (resource: Resource) => Resource
}

/** The same span with other texts, also in its events and links; the span itself if none is another. */
export function replaced(span: ReadableSpan, { attributes, message, name, resource }: Replacements): ReadableSpan {
  const each = <Part extends { readonly name?: string; readonly attributes?: Attributes }>(parts: Part[]): Part[] => {
    const all = parts.map((part) =>
      withParts(part, { name: of(part.name, name), attributes: of(part.attributes, attributes) }),
    )
    return all.some((part, at) => part !== parts[at]) ? all : parts
  }
  const parts = {
    name: name(span.name),
    attributes: attributes(span.attributes),
    status: withParts(span.status, { message: of(span.status.message, message) }),
    events: each(span.events),
    links: each(span.links),
    resource: span.resource && resource(span.resource),
  }
  return withParts(span, parts) === span ? span : { ...withAttributes(span, parts.attributes), ...parts }
}

const of = <Value>(value: Value | undefined, change: (value: Value) => Value): Value | undefined =>
  value === undefined ? value : change(value)

/** The same object if all of these parts are its own. */
function withParts<Whole extends object>(whole: Whole, parts: object): Whole {
  for (const key in parts) {
    if (Reflect.get(parts, key) !== Reflect.get(whole, key)) return { ...whole, ...parts }
  }
  return whole
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
