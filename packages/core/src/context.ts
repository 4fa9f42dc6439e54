import { type Attributes, type Baggage, type Context, createContextKey, propagation } from '@opentelemetry/api'
import { ATTRIBUTE, BAGGAGE, BAGGAGE_ATTRIBUTES, EXPERIMENT_ENVIRONMENT } from './attributes.ts'
import { isEnvironmentName } from './environment-name.ts'
import { PROPAGATED_LIMIT } from './json.ts'

/** `createContextKey` is `Symbol.for` underneath: every copy of this module shares the key. */
const PROPAGATED = createContextKey('svc.propagated-attributes')

/**
 * Puts span attributes into a context: every span started under it gets them. Later values win, tags are joined.
 * Validation belongs to the caller (`propagateAttributes` in `@svc/tracing`).
 */
export function withPropagatedAttributes(context: Context, attributes: Attributes): Context {
  const outer = (context.getValue(PROPAGATED) ?? {}) as Attributes
  return context.setValue(PROPAGATED, merged(outer, attributes))
}

/**
 * The attributes a span started under `context` receives (contract 2.5): first what arrived as baggage, then what
 * this process put into the context. Baggage comes from other parties, so each value is checked again.
 */
export function propagatedAttributes(context: Context): Attributes {
  const own = context.getValue(PROPAGATED) as Attributes | undefined
  const baggage = propagation.getBaggage(context)
  if (!baggage) return own?.[ATTRIBUTE.EXPERIMENT_ITEM_ROOT_OBSERVATION_ID] ? inExperiment(own) : (own ?? {})
  return inExperiment(merged(fromBaggage(baggage), own ?? {}))
}

/** The trace id under which an ancestor in this or another process claimed the app root, lower case. */
export function claimedTraceId(context: Context): string | undefined {
  return propagation.getBaggage(context)?.getEntry(BAGGAGE.TRACE_ID)?.value.toLowerCase()
}

function fromBaggage(baggage: Baggage): Attributes {
  const attributes: Attributes = {}
  for (const [key, { value }] of baggage.getAllEntries()) {
    if (!key.startsWith(BAGGAGE.PREFIX) || key === BAGGAGE.TRACE_ID) continue
    if (key.startsWith(BAGGAGE.METADATA_PREFIX)) {
      const name = key.slice(BAGGAGE.METADATA_PREFIX.length)
      if (name && value.length <= PROPAGATED_LIMIT) attributes[`${ATTRIBUTE.TRACE_METADATA}.${name}`] = value
      continue
    }
    const attribute = BAGGAGE_ATTRIBUTES[key]
    const read = attribute && readEntry(key, value)
    if (read !== undefined && read !== '') attributes[attribute as string] = read
  }
  return attributes
}

function readEntry(key: string, value: string): string | number | string[] | undefined {
  if (key === BAGGAGE.TAGS) return value.split(',').filter((tag) => tag !== '' && tag.length <= PROPAGATED_LIMIT)
  if (value.length > PROPAGATED_LIMIT) return undefined
  if (key === BAGGAGE.ENVIRONMENT) return isEnvironmentName(value) ? value : undefined
  if (key === BAGGAGE.PROMPT_VERSION) return /^\d+$/.test(value) ? Number(value) : undefined
  return value
}

function merged(outer: Attributes, inner: Attributes): Attributes {
  const result = { ...outer, ...inner }
  const tags = [outer[ATTRIBUTE.TRACE_TAGS], inner[ATTRIBUTE.TRACE_TAGS]].filter(Array.isArray).flat() as string[]
  if (tags.length > 0) result[ATTRIBUTE.TRACE_TAGS] = [...new Set(tags)]
  return result
}

function inExperiment(attributes: Attributes): Attributes {
  if (!attributes[ATTRIBUTE.EXPERIMENT_ITEM_ROOT_OBSERVATION_ID]) return attributes
  return { ...attributes, [ATTRIBUTE.ENVIRONMENT]: EXPERIMENT_ENVIRONMENT }
}
