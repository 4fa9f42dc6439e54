import type { Attributes } from '@opentelemetry/api'
import { cleanAttributes, cleanSimpleAttributes } from '@opentelemetry/core'
import type { SpanLimits } from '@opentelemetry/sdk-trace'

/** The attributes of an event within the limits, and how many are dropped. */
export function eventAttributes(attributes: Attributes | undefined, limits: Required<SpanLimits>) {
  return cleanSimpleAttributes(attributes, {
    attributeCountLimit: limits.attributePerEventCountLimit,
    attributeValueLengthLimit: limits.attributeValueLengthLimit,
  })
}

/** The same for a link. */
export function linkAttributes(attributes: Attributes | undefined, limits: Required<SpanLimits>) {
  return cleanAttributes(attributes, {
    attributeCountLimit: limits.attributePerLinkCountLimit,
    attributeValueLengthLimit: limits.attributeValueLengthLimit,
  })
}
