import { parseExactly } from '../exact-json.ts'
import { groupBy } from '../group.ts'
import type { Attributes, ReceivedSpan, StoredOtlp, Value } from '../store/received.ts'
import { spansOf } from './intake/spans.ts'
import { EXPORT_TRACE_REQUEST } from './intake/trace-schema.ts'
import { decodeMessage } from './intake/wire.ts'

/** An export request in the form of OTLP/JSON. */
export interface OtlpRequest {
  readonly resourceSpans: readonly ResourceSpans[]
}

interface ResourceSpans {
  readonly resource?: unknown
  readonly scopeSpans: readonly { readonly scope?: unknown; readonly spans: readonly unknown[] }[]
}

/** The request that a span came in, with every field of it. */
export function otlpOf(stored: StoredOtlp, parse: (text: string) => unknown = JSON.parse): OtlpRequest {
  if (typeof stored !== 'string') return decodeMessage(stored, EXPORT_TRACE_REQUEST) as never
  const read = parse(stored) as OtlpRequest | ReceivedSpan
  return 'resourceSpans' in read ? read : rebuilt(read)
}

/** What is read of a span. */
export const receivedSpan = (stored: StoredOtlp, parse?: (text: string) => unknown): ReceivedSpan =>
  spansOf(otlpOf(stored, parse))[0] as ReceivedSpan

/** The `resourceSpans` of one request for all of these spans: any intake of OTLP takes them. */
export function merged(stored: readonly StoredOtlp[]): ResourceSpans[] {
  const requests = stored.flatMap((each) => otlpOf(each, parseExactly).resourceSpans)
  const groups = groupBy(requests, ({ scopeSpans: [scope], ...resource }) =>
    JSON.stringify([resource, { ...scope, spans: 0 }]),
  )
  return [...groups.values()].map((group) => {
    const [{ scopeSpans: [scope] = [], ...resource }] = group as [ResourceSpans]
    return {
      ...resource,
      scopeSpans: [{ ...scope, spans: group.flatMap(({ scopeSpans }) => scopeSpans[0]?.spans ?? []) }],
    }
  })
}

/** As far as it is known. */
function rebuilt({ resource, scope, parentSpanId, attributes, events, links, ...span }: ReceivedSpan): OtlpRequest {
  const one = {
    ...span,
    ...(parentSpanId === null ? {} : { parentSpanId }),
    attributes: pairs(attributes),
    events: events.map((event) => ({ ...event, attributes: pairs(event.attributes) })),
    links: links.map((link) => ({ ...link, attributes: pairs(link.attributes) })),
  }
  const scopeSpans = [{ scope: { ...scope, attributes: pairs(scope.attributes) }, spans: [one] }]
  return { resourceSpans: [{ resource: { attributes: pairs(resource.attributes) }, scopeSpans }] }
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
