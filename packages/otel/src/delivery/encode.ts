import type { ReadableSpan } from '@opentelemetry/sdk-trace'

/** A batch on the wire, and how many of its spans could not be written down. */
export interface Encoded {
  readonly body: Uint8Array<ArrayBuffer>
  readonly spans: number
  readonly unwritable: number
}

type Serialize = (spans: ReadableSpan[]) => Uint8Array<ArrayBuffer> | undefined

let serializer: Serialize | undefined

/**
 * Writes spans as an OTLP protobuf request. The serializer of OpenTelemetry is loaded with the first batch: most of
 * a process's life, and all of a process that makes no span, goes without it.
 */
export async function encode(spans: readonly ReadableSpan[]): Promise<Encoded> {
  serializer ??= await loadSerializer()
  return encodeWith(serializer, spans)
}

async function loadSerializer(): Promise<Serialize> {
  const { ProtobufTraceSerializer } = await import('@opentelemetry/otlp-transformer')
  return (spans) => ProtobufTraceSerializer.serializeRequest(spans) as Uint8Array<ArrayBuffer> | undefined
}

/** One span that cannot be written (an attribute that throws when read) does not take its batch along. */
export function encodeWith(serialize: Serialize, spans: readonly ReadableSpan[]): Encoded {
  const whole = attempt(serialize, spans)
  if (whole) return { body: whole, spans: spans.length, unwritable: 0 }
  const writable = spans.filter((span) => attempt(serialize, [span]) !== undefined)
  const body = writable.length > 0 ? attempt(serialize, writable) : undefined
  const sent = body ? writable.length : 0
  return { body: body ?? new Uint8Array(), spans: sent, unwritable: spans.length - sent }
}

function attempt(serialize: Serialize, spans: readonly ReadableSpan[]): Uint8Array<ArrayBuffer> | undefined {
  try {
    return serialize([...spans])
  } catch {
    return undefined
  }
}
