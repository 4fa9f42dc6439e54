import type { Attributes } from '@opentelemetry/api'
import { read } from '../read.ts'
import { acceptedAttributes, acceptedMetadata, addText, type Reject, type TextName } from './accept.ts'

/** {@link propagatedValues} of one text: the user of a request, say, which is all that most have. */
export function propagatedText(name: TextName, value: unknown, reject: Reject): Attributes {
  const attributes: Attributes = {}
  addText(attributes, name, value, reject)
  return attributes
}

/**
 * Returns the span attributes that `propagateAttributes` would propagate, for adapters that put them into a context
 * themselves. Never throws.
 *
 * @param reject called with each value that is dropped, and the reason
 * @param outer values that are already propagated: their metadata keys count towards the limit
 */
export function propagatedValues(params: unknown, reject: Reject, outer: Attributes = {}): Attributes {
  if (typeof params !== 'object' || params === null) return {}
  return { ...acceptedAttributes(params, reject), ...acceptedMetadata(read(params, 'metadata'), outer, reject) }
}
