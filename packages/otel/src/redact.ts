import type { Attributes } from '@opentelemetry/api'
import { SpanStatusCode } from '@svc/core/api'
import * as GENERAL from '@svc/core/attributes/general'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { redactKeys } from '@svc/core/foreign-text'
import type { ReadableSpan } from './sdk.ts'
import { withAttributes } from './span-view.ts'

/** Attributes that repeat the message of an error. */
const REPEATED: readonly string[] = [
  ATTRIBUTE.OBSERVATION_STATUS_MESSAGE,
  GENERAL.ERROR_MESSAGE,
  GENERAL.EXCEPTION_MESSAGE,
  GENERAL.EXCEPTION_STACKTRACE,
]

/**
 * Returns a span without API keys in its error and status texts, none of which is longer than 64 KiB. The library or
 * framework that created the span may not know the key, and quotes what a client of the application sent.
 */
export function redacted(span: ReadableSpan): ReadableSpan {
  return hasTexts(span) ? redactedTexts(span) : span
}

function hasTexts({ status, events, attributes }: ReadableSpan): boolean {
  if (status.code === SpanStatusCode.ERROR || status.message !== undefined || events.length > 0) return true
  return REPEATED.some((name) => attributes[name] !== undefined)
}

function redactedTexts(span: ReadableSpan): ReadableSpan {
  // Most of them are the same text.
  const known = new Map<string, string>()
  const hide = (text: string): string => {
    const hidden = known.get(text) ?? redactKeys(text)
    known.set(text, hidden)
    return hidden
  }
  const message = span.status.message === undefined ? undefined : hide(span.status.message)
  const attributes = redactIn(span.attributes, hide)
  const events = span.events.map((event) => {
    const redacted = event.attributes && redactIn(event.attributes, hide)
    return redacted && redacted !== event.attributes ? { ...event, attributes: redacted } : event
  })
  if (attributes === span.attributes && message === span.status.message) {
    if (events.every((event, index) => event === span.events[index])) return span
  }
  const status = { ...span.status, ...(message === undefined ? {} : { message }) }
  return { ...withAttributes(span, attributes), status, events }
}

/** Returns the same object if nothing is redacted. */
function redactIn(attributes: Attributes, hide: (text: string) => string): Attributes {
  let changed = attributes
  for (const name of REPEATED) {
    const text = attributes[name]
    if (typeof text !== 'string') continue
    const redacted = hide(text)
    if (redacted !== text) changed = { ...changed, [name]: redacted }
  }
  return changed
}
