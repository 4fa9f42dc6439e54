import { type Attributes, type Context, createContextKey, propagation } from '@opentelemetry/api'
import { ATTRIBUTE, BAGGAGE, EXPERIMENT_ENVIRONMENT } from './attributes.ts'
import { attributesFromBaggage } from './baggage.ts'

/** `createContextKey` is `Symbol.for` underneath: every copy of this module shares the keys. */
const PROPAGATED = createContextKey('svc.propagated-attributes')
const CLAIMED = createContextKey('svc.claimed-trace-id')

/** Whether what arrived as baggage counts. Default true (contract 2.5); false where clients are not to be trusted. */
interface Trust {
  readonly trustBaggage?: boolean
}

/**
 * Puts span attributes into a context: every span started under it gets them. Later values win, tags are joined.
 * Validation belongs to the caller (`propagateAttributes` in `@svc/tracing`).
 */
export function withPropagatedAttributes(context: Context, attributes: Attributes): Context {
  return context.setValue(PROPAGATED, merged(ownAttributes(context) ?? {}, attributes))
}

/** `context` with the values that were put into `origin` as well; its own win. */
export function inheritPropagated(context: Context, origin: Context): Context {
  const [own, inherited] = [ownAttributes(context), ownAttributes(origin)]
  if (!inherited || own === inherited) return context
  return context.setValue(PROPAGATED, own ? merged(inherited, own) : inherited)
}

/**
 * The attributes a span started under `context` receives (contract 2.5): first what arrived as baggage, then what
 * this process put into the context.
 */
export function propagatedAttributes(context: Context, { trustBaggage = true }: Trust = {}): Attributes {
  const own = ownAttributes(context)
  const baggage = trustBaggage ? propagation.getBaggage(context) : undefined
  return inExperiment(baggage ? merged(attributesFromBaggage(baggage), own ?? {}) : (own ?? {}))
}

/** Says to descendants, in other processes as well, that the app root of this trace is above them (contract 1.6). */
export function claimTrace(context: Context, traceId: string): Context {
  const baggage = propagation.getBaggage(context) ?? propagation.createBaggage()
  if (context.getValue(CLAIMED) === traceId && baggage.getEntry(BAGGAGE.TRACE_ID)?.value === traceId) return context
  const claimed = context.setValue(CLAIMED, traceId)
  return propagation.setBaggage(claimed, baggage.setEntry(BAGGAGE.TRACE_ID, { value: traceId }))
}

/** The trace id under which an ancestor in this or another process claimed the app root, lower case. */
export function claimedTraceId(context: Context, { trustBaggage = true }: Trust = {}): string | undefined {
  if (!trustBaggage) return context.getValue(CLAIMED) as string | undefined
  const claimed: unknown = propagation.getBaggage(context)?.getEntry(BAGGAGE.TRACE_ID)?.value
  return typeof claimed === 'string' ? claimed.toLowerCase() : undefined
}

function ownAttributes(context: Context): Attributes | undefined {
  return context.getValue(PROPAGATED) as Attributes | undefined
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
