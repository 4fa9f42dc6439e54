import { type Attributes, type Context, createContextKey, propagation } from '@opentelemetry/api'
import { ATTRIBUTE, BAGGAGE, EXPERIMENT_ENVIRONMENT } from './attributes.ts'
import { attributesFromBaggage } from './baggage.ts'

/** `createContextKey` is `Symbol.for` underneath: every copy of this module shares the keys. */
const PROPAGATED = createContextKey('svc.propagated-attributes')
const CLAIMED = createContextKey('svc.claimed-trace-id')
const LATE = createContextKey('svc.late-attributes')

/**
 * Span attributes of a request that are not all known when its first spans start: frameworks authenticate after their
 * middleware. Spans get them when they start and again when they end; those that end before all is known wait for it.
 */
export interface LateAttributes {
  /** What is known by now: the same object until more is known. Never throws. */
  read(): Attributes
  /** Resolves, in bounded time, when all is known; undefined when it is. Never rejects. */
  pending(): Promise<void> | undefined
}

/** Whether what arrived as baggage counts. Default true (contract 2.5); false where clients are not to be trusted. */
interface Trust {
  readonly trustBaggage?: boolean
}

/**
 * Puts span attributes into a context: every span started under it gets them. Later values win, tags are joined.
 * Validation belongs to the caller (`propagateAttributes` in `@svc/tracing`).
 */
export function withPropagatedAttributes(context: Context, attributes: Attributes): Context {
  return context.setValue(PROPAGATED, mergedAttributes(ownAttributes(context) ?? {}, attributes))
}

/** Puts span attributes into a context of which some come later. What {@link withPropagatedAttributes} says wins. */
export function withLateAttributes(context: Context, late: LateAttributes): Context {
  return context.setValue(LATE, late)
}

/** What {@link withLateAttributes} put into the context. */
export function lateAttributes(context: Context): LateAttributes | undefined {
  return context.getValue(LATE) as LateAttributes | undefined
}

/** `context` with the values that were put into `origin` as well; its own win. */
export function inheritPropagated(context: Context, origin: Context): Context {
  const late = lateAttributes(context) ? undefined : lateAttributes(origin)
  const inner = late ? withLateAttributes(context, late) : context
  const [own, inherited] = [ownAttributes(context), ownAttributes(origin)]
  if (!inherited || own === inherited) return inner
  return inner.setValue(PROPAGATED, own ? mergedAttributes(inherited, own) : inherited)
}

/**
 * The attributes a span started under `context` receives (contract 2.5): first what arrived as baggage, then what
 * this process put into the context, what is late of it first.
 */
export function propagatedAttributes(context: Context, { trustBaggage = true }: Trust = {}): Attributes {
  const late = lateAttributes(context)
  const own = late ? mergedAttributes(late.read(), ownAttributes(context) ?? {}) : ownAttributes(context)
  const baggage = trustBaggage ? propagation.getBaggage(context) : undefined
  return inExperiment(baggage ? mergedAttributes(attributesFromBaggage(baggage), own ?? {}) : (own ?? {}))
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

/** Span attributes over each other: inner values win, tags are joined. */
export function mergedAttributes(outer: Attributes, inner: Attributes): Attributes {
  const result = { ...outer, ...inner }
  const tags = [outer[ATTRIBUTE.TRACE_TAGS], inner[ATTRIBUTE.TRACE_TAGS]].filter(Array.isArray).flat() as string[]
  if (tags.length > 0) result[ATTRIBUTE.TRACE_TAGS] = [...new Set(tags)]
  return result
}

function inExperiment(attributes: Attributes): Attributes {
  if (!attributes[ATTRIBUTE.EXPERIMENT_ITEM_ROOT_OBSERVATION_ID]) return attributes
  return { ...attributes, [ATTRIBUTE.ENVIRONMENT]: EXPERIMENT_ENVIRONMENT }
}
