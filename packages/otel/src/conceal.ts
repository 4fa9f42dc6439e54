import { type Attributes, SpanStatusCode } from '@opentelemetry/api'
import { ATTRIBUTE, GENERAL } from '@svc/core/attributes'
import { redactKeys } from '@svc/core/redact-keys'
import type { ReadableSpan } from './sdk.ts'
import { withAttributes } from './span-view.ts'

/** Attributes that repeat the message of an error. */
const TOLD: readonly string[] = [
  ATTRIBUTE.OBSERVATION_STATUS_MESSAGE,
  GENERAL.ERROR_MESSAGE,
  GENERAL.EXCEPTION_MESSAGE,
  GENERAL.EXCEPTION_STACKTRACE,
]

/**
 * The span of a failure without keys in what the failure says. Whoever made the span, a library or a framework, may not
 * have known the key.
 */
export function concealed(span: ReadableSpan): ReadableSpan {
  if (span.status.code !== SpanStatusCode.ERROR && span.events.length === 0) return span
  const message = span.status.message === undefined ? undefined : redactKeys(span.status.message)
  const attributes = concealedIn(span.attributes)
  const events = span.events.map((event) => {
    const concealed = event.attributes && concealedIn(event.attributes)
    return concealed && concealed !== event.attributes ? { ...event, attributes: concealed } : event
  })
  const same = attributes === span.attributes && events.every((event, index) => event === span.events[index])
  if (same && message === span.status.message) return span
  const status = { ...span.status, ...(message === undefined ? {} : { message }) }
  return { ...withAttributes(span, attributes), status, events }
}

/** The same attributes where there is nothing to hide. */
function concealedIn(attributes: Attributes): Attributes {
  let changed = attributes
  for (const name of TOLD) {
    const text = attributes[name]
    if (typeof text !== 'string') continue
    const redacted = redactKeys(text)
    if (redacted !== text) changed = { ...changed, [name]: redacted }
  }
  return changed
}
