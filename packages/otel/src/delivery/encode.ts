import type { Attributes } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { FAILED_TO_SERIALIZE } from '@svc/core/json'
import { log } from '@svc/core/log'
import { attributeOf, withAttributes } from '../span-view.ts'

/** A batch on the wire, and how many of its spans are in it. */
export interface Encoded {
  readonly body: Uint8Array<ArrayBuffer>
  readonly spans: number
}

type Bytes = Uint8Array<ArrayBuffer>
type Serialize = (spans: ReadableSpan[]) => Bytes | undefined

let serializer: Serialize | undefined

/**
 * Writes spans as an OTLP protobuf request. The serializer of OpenTelemetry is loaded with the first batch: most of
 * a process's life, and all of a process that makes no span, goes without it.
 */
export async function encode(spans: ReadableSpan[]): Promise<Encoded> {
  serializer ??= await loadSerializer()
  return encodeWith(serializer, spans)
}

async function loadSerializer(): Promise<Serialize> {
  const { ProtobufTraceSerializer } = await import('@opentelemetry/otlp-transformer')
  return (spans) => ProtobufTraceSerializer.serializeRequest(spans) as Bytes | undefined
}

/**
 * An attribute that cannot be written (it throws when read, it never ends) does not take its span along, nor a span
 * its batch: the value is replaced, and a span that even so cannot be written is left out.
 */
export function encodeWith(serialize: Serialize, spans: ReadableSpan[]): Encoded {
  const whole = attempt(serialize, spans)
  if (whole) return { body: whole, spans: spans.length }
  const writable = spans.flatMap((span) => {
    if (attempt(serialize, [span])) return [span]
    const repaired = withWritableAttributes(serialize, span)
    return attempt(serialize, [repaired]) ? [repaired] : []
  })
  const body = attempt(serialize, writable)
  return body ? { body, spans: writable.length } : { body: new Uint8Array(), spans: 0 }
}

function withWritableAttributes(serialize: Serialize, span: ReadableSpan): ReadableSpan {
  const attributes: Attributes = {}
  for (const key of Object.keys(span.attributes)) {
    const value = attributeOf(span, key)
    const writable = attempt(serialize, [withAttributes(span, { [key]: value })]) !== undefined
    attributes[key] = writable ? value : FAILED_TO_SERIALIZE
    if (!writable || value === FAILED_TO_SERIALIZE) {
      log.once('warn', `The attribute ${key} of a span of "${span.instrumentationScope.name}" cannot be written down.`)
    }
  }
  return withAttributes(span, attributes)
}

function attempt(serialize: Serialize, spans: ReadableSpan[]): Bytes | undefined {
  try {
    return serialize(spans)
  } catch {
    return undefined
  }
}
