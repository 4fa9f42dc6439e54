import { groupBy } from '../../group.ts'
import { type Answer, notFound } from '../../http/answer.ts'
import type { Call } from '../../http/router.ts'
import type { ReadService } from '../../service.ts'
import type { Attributes, ReceivedSpan, Value } from '../../store/received.ts'
import { traceOf } from '../trace.ts'
import { marksOf } from './trace-list.ts'

/**
 * `GET /viewer/traces/{traceId}/export`: a trace as a file. Its `trace` is for readers; its `resourceSpans` are OTLP/JSON,
 * so that any intake of OTLP takes the file again.
 */
export function exportTrace({ params }: Call, { store }: ReadService): Answer {
  const traceId = params.traceId ?? ''
  const observations = store.trace(traceId)
  if (observations.length === 0) throw notFound(`No trace ${traceId}`)
  const file = {
    trace: { ...traceOf(traceId, observations), scores: marksOf(traceId, store) },
    resourceSpans: resourceSpansOf(store.spans(traceId)),
  }
  const name = `trace-${traceId.replaceAll(/[^\w-]/g, '')}.json`
  return {
    status: 200,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
    },
    body: JSON.stringify(file, null, 1),
  }
}

function resourceSpansOf(spans: readonly ReceivedSpan[]) {
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
