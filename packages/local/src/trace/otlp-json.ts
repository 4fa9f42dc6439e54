import { groupBy } from '../group.ts'
import type { Attributes, ReceivedSpan, Value } from '../store/received.ts'

/** Spans as the `resourceSpans` of OTLP/JSON: any intake of OTLP takes them. */
export function resourceSpansOf(spans: readonly ReceivedSpan[]) {
  const groups = groupBy(spans, ({ resource, scope }) => JSON.stringify([resource, scope]))
  return [...groups.values()].map((group) => {
    const { resource, scope } = group[0] as ReceivedSpan
    return {
      resource: { attributes: pairs(resource.attributes) },
      scopeSpans: [{ scope: { ...scope, attributes: pairs(scope.attributes) }, spans: group.map(spanOf) }],
    }
  })
}

function spanOf({ resource: _, scope: __, parentSpanId, attributes, events, links, ...span }: ReceivedSpan) {
  return {
    ...span,
    ...(parentSpanId === null ? {} : { parentSpanId }),
    attributes: pairs(attributes),
    events: events.map((event) => ({ ...event, attributes: pairs(event.attributes) })),
    links: links.map((link) => ({ ...link, attributes: pairs(link.attributes) })),
  }
}

const pairs = (attributes: Attributes) => Object.entries(attributes).map(([key, value]) => ({ key, value: any(value) }))

function any(value: Value): object {
  if (value === null) return {}
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(any) } }
  return { kvlistValue: { values: pairs(value) } }
}
