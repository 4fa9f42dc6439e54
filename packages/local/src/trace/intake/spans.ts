import { findNumberText } from '../../exact-json.ts'
import type { ReceivedEvent, ReceivedLink, ReceivedSpan } from '../../store/received.ts'
import { idOf, SPAN_ID_BYTES, TRACE_ID_BYTES } from './ids.ts'
import { fieldsOf, joinedHalves, type RawFields, readList, readText, ShapeError } from './shape.ts'
import { attributesOf } from './values.ts'

const SPAN_KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'].map((k) => `SPAN_KIND_${k}`)
const STATUS_CODES = ['UNSET', 'OK', 'ERROR'].map((code) => `STATUS_CODE_${code}`)

/** Most spans of one request: others that write wait until all of them are stored. */
const MAX_SPANS = 10_000

/**
 * All spans of an export request in OTLP/JSON shape. Numbers of attributes have the text that they were sent in.
 *
 * @throws ShapeError when any part is malformed: one bad span refuses the whole batch (contract 5.2).
 */
export function spansOf(request: unknown): ReceivedSpan[] {
  let spans = 0
  return readList(fieldsOf(request, 'the request').resourceSpans, 'resourceSpans').flatMap((item) => {
    const group = fieldsOf(item, 'an entry of resourceSpans')
    const resource = {
      attributes: attributesOf(fieldsOf(group.resource, 'resource').attributes, 'resource attributes'),
    }
    return readList(group.scopeSpans, 'scopeSpans').flatMap((item) => {
      const group = fieldsOf(item, 'an entry of scopeSpans')
      const scope = scopeOf(fieldsOf(group.scope, 'scope'))
      const list = readList(group.spans, 'spans')
      spans += list.length
      if (spans > MAX_SPANS) throw new ShapeError(`more than ${MAX_SPANS} spans`)
      return list.map((span) => spanOf(fieldsOf(span, 'a span'), resource, scope))
    })
  })
}

function scopeOf({ name, version, attributes }: RawFields): ReceivedSpan['scope'] {
  return { name: readText(name), version: readText(version), attributes: attributesOf(attributes, 'scope attributes') }
}

function spanOf(span: RawFields, resource: ReceivedSpan['resource'], scope: ReceivedSpan['scope']): ReceivedSpan {
  const name = readText(span.name)
  const what = `span "${name}"`
  const status = fieldsOf(span.status, `status of ${what}`)
  return {
    traceId: required(idOf(span.traceId, TRACE_ID_BYTES), 'traceId', what),
    spanId: required(idOf(span.spanId, SPAN_ID_BYTES), 'spanId', what),
    parentSpanId: idOf(span.parentSpanId, SPAN_ID_BYTES) ?? null,
    traceState: readText(span.traceState),
    flags: count(span.flags),
    name,
    kind: choice(span.kind, SPAN_KINDS),
    startTimeUnixNano: nanos(span.startTimeUnixNano),
    endTimeUnixNano: nanos(span.endTimeUnixNano),
    attributes: attributesOf(span.attributes, `attributes of ${what}`),
    droppedAttributesCount: count(span.droppedAttributesCount),
    events: readList(span.events, `events of ${what}`).map((event) => eventOf(fieldsOf(event, `an event of ${what}`))),
    links: readList(span.links, `links of ${what}`).map((link) => linkOf(fieldsOf(link, `a link of ${what}`))),
    status: { code: choice(status.code, STATUS_CODES), message: readText(status.message) },
    resource,
    scope,
  }
}

function eventOf({ name, timeUnixNano, attributes }: RawFields): ReceivedEvent {
  return {
    name: readText(name),
    timeUnixNano: nanos(timeUnixNano),
    attributes: attributesOf(attributes, 'event attributes'),
  }
}

function linkOf({ traceId, spanId, attributes }: RawFields): ReceivedLink {
  return {
    traceId: idOf(traceId, TRACE_ID_BYTES) ?? '',
    spanId: idOf(spanId, SPAN_ID_BYTES) ?? '',
    attributes: attributesOf(attributes, 'link attributes'),
  }
}

function required(id: string | undefined, field: string, what: string): string {
  if (id !== undefined) return id
  throw new ShapeError(`${what} has no usable ${field}. Is another signal, such as logs, sent to the traces URL?`)
}

/** Nanoseconds as decimal text. Senders write text, numbers, or `{low, high}` halves of older JSON exporters. */
function nanos(sent: unknown): string {
  const raw = findNumberText(sent) ?? sent
  if (typeof raw === 'string' && /^\d{1,20}$/.test(raw)) return raw
  if (typeof raw === 'number' && raw > 0 && Number.isFinite(raw)) return BigInt(Math.trunc(raw)).toString()
  return String(joinedHalves(raw) ?? 0)
}

function choice(raw: unknown, names: readonly string[]): number {
  if (typeof raw === 'string') return Math.max(0, names.indexOf(raw))
  return count(raw)
}

function count(sent: unknown): number {
  const text = findNumberText(sent)
  const raw = text === undefined ? sent : Number(text)
  return typeof raw === 'number' && Number.isSafeInteger(raw) && raw >= 0 ? raw : 0
}
