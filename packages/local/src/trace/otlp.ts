import { findNumberText, parseExactly } from '../exact-json.ts'
import { groupBy } from '../group.ts'
import type { Attributes, ReceivedSpan, StoredOtlp, Value } from '../store/received.ts'
import { spansOf } from './intake/spans.ts'
import { EXPORT_TRACE_REQUEST } from './intake/trace-schema.ts'
import { decodeMessage } from './intake/wire.ts'
import { isMap } from './map/read.ts'

/** An export request in the form of OTLP/JSON. */
export interface OtlpRequest {
  readonly resourceSpans: readonly ResourceSpans[]
}

interface ResourceSpans {
  readonly resource?: unknown
  readonly scopeSpans: readonly { readonly scope?: unknown; readonly spans: readonly unknown[] }[]
}

/** The request that a span came in, with every field and number of it. */
export function otlpOf(stored: StoredOtlp): OtlpRequest {
  if (typeof stored !== 'string') return decodeMessage(stored, EXPORT_TRACE_REQUEST) as never
  const read = parseExactly(stored) as OtlpRequest | ReceivedSpan
  return 'resourceSpans' in read ? read : rebuilt(read)
}

/** What is read of a span, with the numbers of JavaScript. */
export const receivedSpan = (stored: StoredOtlp): ReceivedSpan => plain(spansOf(otlpOf(stored))[0]) as ReceivedSpan

function plain(value: unknown): unknown {
  const text = findNumberText(value)
  if (text !== undefined) return /^-?\d{16,}$/.test(text) ? text : Number(text)
  if (Array.isArray(value)) return value.map(plain)
  if (!isMap(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]))
}

/** The `resourceSpans` of one request for all of these spans: any intake of OTLP takes them. */
export function merged(stored: readonly StoredOtlp[]): ResourceSpans[] {
  const requests = stored.flatMap((each) => otlpOf(each).resourceSpans)
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
