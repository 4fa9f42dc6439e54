import type { Attributes, Span } from '@opentelemetry/api'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { warnFew } from '@svc/core/warn-few'
import type { AttributeSets } from './attributes.ts'
import { RESERVED } from './reserved.ts'

/** Writes attributes, and as much metadata as leaves space for all other fields of that set. */
export function writeWithRoom(
  span: Span,
  attributes: Attributes,
  metadata: Attributes,
  set: keyof AttributeSets = 'generation',
): void {
  span.setAttributes({ ...attributes, ...fitToLimit(span, attributes, metadata, RESERVED[set]) })
}

/** OpenTelemetry's default for `OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT`. */
const DEFAULT_LIMIT = 128

/**
 * Returns the part of `metadata` that fits into the attribute limit of the span, beside `attributes` (written with it)
 * and `reserved` (which an observation may still write). OpenTelemetry silently drops attributes beyond its limit, and
 * metadata often comes before the output. Keys that the span has are overwritten; of the others the last ones are
 * dropped, with one warning.
 *
 * The API does not expose the number of attributes. Spans of OpenTelemetry's SDK (and of SDKs built on it) have
 * `attributes` and `_spanLimits`; any other span is assumed to be empty and to have the default limit.
 */
export function fitToLimit(
  span: Span,
  attributes: Attributes,
  metadata: Attributes,
  reserved: readonly string[],
): Attributes {
  const names = Object.keys(metadata)
  if (names.length === 0) return metadata
  const { present, limit } = usageOf(span)
  const taken = Object.keys(present).length
  const others = Object.keys(attributes)
  if (taken + others.length + reserved.length + names.length <= limit) return metadata
  const isNew = (name: string) => !Object.hasOwn(present, name)
  const kept = new Set([...others, ...reserved].filter(isNew))
  const remaining = Math.max(limit - taken - kept.size, 0)
  const surplus = new Set(names.filter(isNew).slice(remaining))
  if (surplus.size === 0) return metadata
  warnFew(
    `metadata is dropped, because a span can have at most ${limit} attributes: ${listNames(surplus)}. ` +
      'Put values that belong together under one key.',
  )
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !surplus.has(name)))
}

interface Usage {
  readonly present: object
  readonly limit: number
}

function usageOf(span: Span): Usage {
  const { attributes, _spanLimits } = span as { attributes?: unknown; _spanLimits?: { attributeCountLimit?: unknown } }
  const limit = _spanLimits?.attributeCountLimit
  return {
    present: typeof attributes === 'object' && attributes !== null ? attributes : {},
    limit: typeof limit === 'number' && limit >= 0 ? limit : DEFAULT_LIMIT,
  }
}

const PREFIXES = [`${ATTRIBUTE.OBSERVATION_METADATA}.`, `${ATTRIBUTE.TRACE_METADATA}.`]
const LONGEST_LIST = 10_000

function listNames(names: Iterable<string>): string {
  const keys = [...names].map((name) => {
    const prefix = PREFIXES.find((each) => name.startsWith(each))
    return prefix ? name.slice(prefix.length) : name
  })
  const text = keys.join(', ')
  return text.length <= LONGEST_LIST ? text : `${text.slice(0, LONGEST_LIST)}… (${keys.length} keys)`
}
