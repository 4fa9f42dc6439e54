import type { Attributes } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { FAILED_TO_SERIALIZE } from '@svc/core/json'
import { log } from '@svc/core/log'
import { attributeOf, withAttributes } from '../span-view.ts'
import { writeTraces } from './otlp/trace.ts'

/** A batch on the wire, and how many of its spans are in it. */
export interface Encoded {
  readonly body: Uint8Array<ArrayBuffer>
  readonly spans: number
}

/**
 * Writes spans as an OTLP protobuf request. An attribute that cannot be written (it throws when read, it is nested too
 * deep or never ends) does not take its span along, nor a span its batch: the value is replaced, and a span that even
 * so cannot be written is left out.
 */
export function encode(spans: readonly ReadableSpan[]): Encoded {
  const whole = written(spans)
  if (whole) return { body: whole, spans: spans.length }
  const writable = spans.flatMap((span) => {
    if (written([span])) return [span]
    const repaired = withWritableAttributes(span)
    return written([repaired]) ? [repaired] : []
  })
  const body = written(writable)
  // Each can be written and all of them cannot: together they are too long for one message.
  return body ? { body, spans: writable.length } : { body: new Uint8Array(), spans: 0 }
}

function withWritableAttributes(span: ReadableSpan): ReadableSpan {
  const attributes: Attributes = {}
  for (const key of Object.keys(span.attributes)) {
    const value = attributeOf(span, key)
    const writable = written([withAttributes(span, { [key]: value })]) !== undefined
    attributes[key] = writable ? value : FAILED_TO_SERIALIZE
    if (!writable || value === FAILED_TO_SERIALIZE) {
      log.once('warn', `The attribute ${key} of a span of "${span.instrumentationScope.name}" cannot be written down.`)
    }
  }
  return withAttributes(span, attributes)
}

function written(spans: readonly ReadableSpan[]): Uint8Array<ArrayBuffer> | undefined {
  try {
    return writeTraces(spans)
  } catch {
    return undefined
  }
}
