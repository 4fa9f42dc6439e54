import type { AttributeValue } from '@opentelemetry/api'

/**
 * The characters of a scalar or a list of texts, none of them longer than `limit`; below 0 for what only the SDK's own
 * function can judge, which makes a set for every value that it looks at.
 */
export function plainSize(value: AttributeValue | undefined, limit: number): number {
  if (typeof value === 'number' || typeof value === 'boolean') return 1
  if (!Array.isArray(value)) return -1
  let characters = 0
  for (const each of value as readonly unknown[]) {
    if (typeof each !== 'string' || each.length > limit) return -1
    characters += each.length
  }
  return characters
}

/** The characters of any value, or of a list; infinitely many in whatever is nested, which is not looked into. */
export function charactersIn(value: AttributeValue | null | undefined): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object') return 1
  if (!Array.isArray(value)) return Number.POSITIVE_INFINITY
  let characters = 0
  for (const each of value) characters += typeof each === 'object' ? Number.POSITIVE_INFINITY : charactersIn(each)
  return characters
}
