import { parseJson } from '../gen-ai/parts.ts'
import { asString, type Fields, isObject } from '../gen-ai/read.ts'
import type { BodyEvent } from './body-events.ts'

/** Two lengths and a checksum before the headers of a frame; another checksum ends it. */
const PRELUDE = 12
const CHECKSUM = 4
/** The only type that headers of events have. */
const TEXT = 7

/** Whether a body is an AWS event stream: it begins with a length, no text with such a byte. */
export function isFramed(bytes: Buffer): boolean {
  return bytes[0] === 0
}

/**
 * Reads the frames of an AWS event stream, as far as they arrived whole. Each event has one field, named after its type,
 * as in the SDK.
 *
 * @see https://smithy.io/2.0/aws/amazon-eventstream.html
 */
export function readFrames(bytes: Buffer): BodyEvent[] {
  const events: BodyEvent[] = []
  for (let at = 0; at + PRELUDE <= bytes.length; ) {
    const end = at + bytes.readUInt32BE(at)
    const headersEnd = at + PRELUDE + bytes.readUInt32BE(at + 4)
    if (end > bytes.length || headersEnd + CHECKSUM > end) break
    const headers = readHeaders(bytes.subarray(at + PRELUDE, headersEnd))
    const payload = parseJson(bytes.toString('utf8', headersEnd, end - CHECKSUM))
    if (isObject(payload)) events.push({ fields: toEvent(headers, payload), at })
    at = end
  }
  return events
}

function readHeaders(bytes: Buffer): Map<string, string> {
  const headers = new Map<string, string>()
  for (let at = 0; at + 1 < bytes.length; ) {
    const nameEnd = at + 1 + (bytes[at] ?? 0)
    if (bytes[nameEnd] !== TEXT || nameEnd + 3 > bytes.length) break
    const end = nameEnd + 3 + bytes.readUInt16BE(nameEnd + 1)
    headers.set(bytes.toString('utf8', at + 1, nameEnd), bytes.toString('utf8', nameEnd + 3, end))
    at = end
  }
  return headers
}

function toEvent(headers: Map<string, string>, payload: Fields): Fields {
  const exception = headers.get(':exception-type')
  if (exception !== undefined) return { error: { ...payload, type: exception } }
  const bytes = asString(payload.bytes)
  return { [headers.get(':event-type') ?? '']: bytes === undefined ? payload : { bytes: Buffer.from(bytes, 'base64') } }
}
