import type { Attributes } from '@opentelemetry/api'
import { FAILED_TO_SERIALIZE } from '@svc/core/json'
import { log } from '@svc/core/log'
import type { ReadableSpan } from '../sdk.ts'
import { attributeOf, withAttributes } from '../span-view.ts'
import { writeSpan } from './otlp/trace.ts'
import { ProtobufWriter } from './otlp/writer.ts'

const writer = new ProtobufWriter()

/**
 * Encodes a span as a field of an OTLP request. The result is valid until the next span is encoded. An attribute that
 * cannot be encoded (it throws when read, is nested too deep or never ends) is replaced by a placeholder.
 *
 * @returns undefined when the span cannot be written even so
 */
export function encodeSpan(span: ReadableSpan): Uint8Array | undefined {
  return written(span) ?? repaired(span)
}

function repaired(span: ReadableSpan): Uint8Array | undefined {
  try {
    return written(withWritableAttributes(span))
  } catch {
    return undefined
  }
}

function withWritableAttributes(span: ReadableSpan): ReadableSpan {
  const attributes: Attributes = {}
  for (const key of Object.keys(span.attributes)) {
    const value = attributeOf(span, key)
    const writable = written(withAttributes(span, { [key]: value })) !== undefined
    attributes[key] = writable ? value : FAILED_TO_SERIALIZE
    if (!writable || value === FAILED_TO_SERIALIZE) {
      log.once('warn', `The attribute ${key} of a span of "${span.instrumentationScope.name}" cannot be encoded.`)
    }
  }
  return withAttributes(span, attributes)
}

function written(span: ReadableSpan): Uint8Array | undefined {
  writer.reset()
  try {
    writeSpan(writer, span)
    return writer.view()
  } catch {
    return undefined
  }
}
