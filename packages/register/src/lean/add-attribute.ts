import type { Attributes, AttributeValue } from '@opentelemetry/api'
import { AddAttributeDecision, maybeAddAttribute } from '@opentelemetry/core'

/** How many attributes a span may have, and how long their values may be. */
export interface AttributeLimits {
  readonly attributeCountLimit: number
  /** Characters. */
  readonly attributeValueLengthLimit: number
}

/**
 * Adds an attribute as the SDK does, which makes a set for every value it looks at, strings as well.
 *
 * @param count how many attributes there are
 */
export function addAttribute(
  attributes: Attributes,
  key: string,
  value: AttributeValue | undefined,
  count: number,
  limits: AttributeLimits,
): AddAttributeDecision {
  if (key === '' || !Array.isArray(value) || !areShortTexts(value, limits))
    return maybeAddAttribute({ attributes, key, value, limits, currentAttributesCount: count })
  const isNew = !Object.hasOwn(attributes, key)
  if (isNew && count >= limits.attributeCountLimit) return AddAttributeDecision.DROP_LIMIT_REACHED
  attributes[key] = value.slice()
  return isNew ? AddAttributeDecision.ADD_NEW : AddAttributeDecision.ADD_OVERWRITE_EXISTING
}

function areShortTexts(values: readonly unknown[], { attributeValueLengthLimit }: AttributeLimits): boolean {
  for (const value of values) if (typeof value !== 'string' || value.length > attributeValueLengthLimit) return false
  return true
}

/** The characters of a value, or of a list; infinitely many in whatever is nested, which is not looked into. */
export function charactersIn(value: AttributeValue | null | undefined): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object') return 1
  if (!Array.isArray(value)) return Number.POSITIVE_INFINITY
  let characters = 0
  for (const each of value) {
    characters += typeof each === 'string' ? each.length : typeof each === 'object' ? Number.POSITIVE_INFINITY : 1
  }
  return characters
}
