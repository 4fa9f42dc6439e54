import type { Attributes } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'

/** What a span weighs apart from its texts. */
const BASE = 256

/** About how many characters a span holds: what tells a prompt of megabytes from a span of a few words. */
export function weightOf({ attributes, events }: ReadableSpan): number {
  try {
    let weight = BASE + textIn(attributes)
    for (const event of events ?? []) weight += textIn(event.attributes)
    return weight
  } catch {
    // An attribute that throws when read.
    return BASE
  }
}

function textIn(attributes: Attributes | undefined): number {
  let length = 0
  for (const key in attributes) {
    const value = attributes[key]
    if (typeof value === 'string') length += value.length
    else if (Array.isArray(value)) for (const item of value) length += typeof item === 'string' ? item.length : 8
  }
  return length
}
