import type { Attributes, Span } from '@opentelemetry/api'
import { ATTRIBUTE } from '@svc/core/attributes'
import { log } from '@svc/core/log'

/** OpenTelemetry's default for `OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT`. */
const DEFAULT_LIMIT = 128

/**
 * As much of `metadata` as the span has room for beside `attributes` and `reserved`: what is written with it, and what
 * an observation may still want to say. OpenTelemetry drops what comes after its limit without a word, and metadata
 * often comes before the output. Keys the span already has are overwritten in any case; of the others the last ones
 * are dropped, with one warning.
 *
 * How full a span is, the API does not tell. The spans of OpenTelemetry's SDK (and of those built on it) show their
 * `attributes` and keep their limits in `_spanLimits`; of any other span we assume that it is empty and has the
 * default limit.
 */
export function fitting(
  span: Span,
  attributes: Attributes,
  metadata: Attributes,
  reserved: readonly string[],
): Attributes {
  const names = Object.keys(metadata)
  if (names.length === 0) return metadata
  const { present, limit } = fillOf(span)
  const taken = Object.keys(present).length
  const others = Object.keys(attributes)
  if (taken + others.length + reserved.length + names.length <= limit) return metadata
  const isNew = (name: string) => !Object.hasOwn(present, name)
  const kept = new Set([...others, ...reserved].filter(isNew))
  const room = Math.max(limit - taken - kept.size, 0)
  const surplus = new Set(names.filter(isNew).slice(room))
  if (surplus.size === 0) return metadata
  log.warn(
    `metadata is dropped, because a span has room for ${limit} attributes: ${listed(surplus)}. ` +
      'Put values that belong together under one key.',
  )
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !surplus.has(name)))
}

interface Fill {
  readonly present: object
  readonly limit: number
}

function fillOf(span: Span): Fill {
  const { attributes, _spanLimits } = span as { attributes?: unknown; _spanLimits?: { attributeCountLimit?: unknown } }
  const limit = _spanLimits?.attributeCountLimit
  return {
    present: typeof attributes === 'object' && attributes !== null ? attributes : {},
    limit: typeof limit === 'number' && limit >= 0 ? limit : DEFAULT_LIMIT,
  }
}

const PREFIXES = [`${ATTRIBUTE.OBSERVATION_METADATA}.`, `${ATTRIBUTE.TRACE_METADATA}.`]
const LONGEST_LIST = 10_000

function listed(names: Iterable<string>): string {
  const keys = [...names].map((name) => {
    const prefix = PREFIXES.find((each) => name.startsWith(each))
    return prefix ? name.slice(prefix.length) : name
  })
  const text = keys.join(', ')
  return text.length <= LONGEST_LIST ? text : `${text.slice(0, LONGEST_LIST)}… (${keys.length} keys)`
}
