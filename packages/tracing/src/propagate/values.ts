import type { Attributes } from '@opentelemetry/api'
import { read } from '../read.ts'
import { acceptedAttributes, acceptedMetadata, type Reject } from './accept.ts'

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
