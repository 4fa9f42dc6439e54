import type { Attributes, Context } from '@opentelemetry/api'
import { createContextKey } from '@svc/core/api'
import { ON_SERVER } from '@svc/core/on-server'
import { propagation } from '@svc/core/propagation'
import * as BAGGAGE from './attributes/baggage.ts'
import { EXPERIMENT_ENVIRONMENT } from './attributes/constants.ts'
import * as ATTRIBUTE from './attributes/service.ts'
import { attributesFromBaggage } from './baggage.ts'
import { type Trust, trustsBaggageIn } from './trust.ts'

/** `createContextKey` is `Symbol.for` underneath: every copy of this module shares the keys. */
const PROPAGATED = createContextKey('svc.propagated-attributes')
const CLAIMED = createContextKey('svc.claimed-trace-id')
const DEFERRED = createContextKey('svc.late-attributes')

/**
 * Span attributes of a request that may not be known when its first spans start, because frameworks authenticate after
 * their middleware. Spans get them at their start and again at their end; a span that ends before they are known waits
 * for them.
 */
export interface DeferredAttributes {
  /** Returns the attributes known so far: the same object until more are known. Never throws. */
  read(): Attributes
  /**
   * Returns a promise that resolves, in bounded time, when all attributes are known; undefined if they are. Never
   * rejects.
   */
  pending(): Promise<void> | undefined
}

/** The result of {@link propagatedAttributes} if nothing is propagated. */
export const NONE: Attributes = Object.freeze({})

/** Whether the baggage in a context is used. Default true (contract 2.5). */
interface BaggageTrust {
  readonly trustBaggage?: Trust
}

/**
 * Adds span attributes to a context: every span started under it gets them. Later values take precedence; tags are
 * joined. The caller validates them (`propagateAttributes` in `@svc/tracing`).
 */
export function withPropagatedAttributes(context: Context, attributes: Attributes): Context {
  if (attributes === NONE) return context
  return context.setValue(PROPAGATED, mergeAttributes(attributesOf(context) ?? NONE, attributes))
}

/** Adds deferred span attributes to a context. Values of {@link withPropagatedAttributes} take precedence. */
export function withDeferredAttributes(context: Context, deferred: DeferredAttributes): Context {
  return context.setValue(DEFERRED, deferred)
}

/** Returns the value set by {@link withDeferredAttributes}. */
export function deferredAttributes(context: Context): DeferredAttributes | undefined {
  return context.getValue(DEFERRED) as DeferredAttributes | undefined
}

/**
 * Returns the context with its deferred attributes as they are now, if all are known: spans inside need not read them
 * again at their end. For work that runs when nothing more becomes known. On the edge nothing is deferred.
 */
export function withKnownAttributes(context: Context): Context {
  if (!ON_SERVER) return context
  const deferred = deferredAttributes(context)
  if (!deferred || deferred.pending()) return context
  const known = deferred.read()
  const settled = context.setValue(DEFERRED, undefined)
  return known === NONE ? settled : settled.setValue(PROPAGATED, mergeAttributes(known, attributesOf(context) ?? NONE))
}

/** Returns the context without what it has of a visitor: their request's values and baggage, and the user and session. */
export function withoutVisitor(context: Context): Context {
  const {
    [ATTRIBUTE.TRACE_USER_ID]: _user,
    [ATTRIBUTE.TRACE_SESSION_ID]: _session,
    ...kept
  } = attributesOf(context) ?? NONE
  const alone = propagation.setBaggage(context, propagation.createBaggage())
  return alone.deleteValue(DEFERRED).setValue(PROPAGATED, kept)
}

/** Returns `context` with the propagated values of `origin` added; values of `context` take precedence. */
export function inheritPropagated(context: Context, origin: Context): Context {
  const deferred = deferredAttributes(context) ? undefined : deferredAttributes(origin)
  const inner = deferred ? withDeferredAttributes(context, deferred) : context
  const [own, inherited] = [attributesOf(context), attributesOf(origin)]
  if (!inherited || own === inherited) return inner
  return inner.setValue(PROPAGATED, own ? mergeAttributes(inherited, own) : inherited)
}

/**
 * Returns the attributes of a span started under `context` (contract 2.5): from baggage, then deferred ones, then those
 * that this process added; later ones take precedence.
 */
export function propagatedAttributes(context: Context, { trustBaggage = true }: BaggageTrust = {}): Attributes {
  const deferred = ON_SERVER ? deferredAttributes(context) : undefined
  const added = attributesOf(context)
  const baggage = trustsBaggageIn(context, trustBaggage) ? propagation.getBaggage(context) : undefined
  if (!deferred && !added && !baggage) return NONE
  const own = deferred ? mergeAttributes(deferred.read(), added ?? NONE) : added
  const received = baggage ? attributesFromBaggage(baggage) : NONE
  const isEmpty = Object.keys(received).length === 0
  return inExperiment(isEmpty ? (own ?? NONE) : mergeAttributes(received, own ?? {}))
}

/** Tells descendants, in this and other processes, that the trace already has an app root (contract 1.6). */
export function claimTrace(context: Context, traceId: string): Context {
  const baggage = propagation.getBaggage(context)
  // Only saves a context.
  if (ON_SERVER && context.getValue(CLAIMED) === traceId && baggage?.getEntry(BAGGAGE.TRACE_ID)?.value === traceId) {
    return context
  }
  const claimed = context.setValue(CLAIMED, traceId)
  const extended = (baggage ?? propagation.createBaggage()).setEntry(BAGGAGE.TRACE_ID, { value: traceId })
  return propagation.setBaggage(claimed, extended)
}

/** Returns the trace id, in lower case, for which an ancestor in this or another process is the app root. */
export function claimedTraceId(context: Context, { trustBaggage = true }: BaggageTrust = {}): string | undefined {
  if (!trustsBaggageIn(context, trustBaggage)) return context.getValue(CLAIMED) as string | undefined
  const claimed: unknown = propagation.getBaggage(context)?.getEntry(BAGGAGE.TRACE_ID)?.value
  return typeof claimed === 'string' ? claimed.toLowerCase() : undefined
}

function attributesOf(context: Context): Attributes | undefined {
  return context.getValue(PROPAGATED) as Attributes | undefined
}

/** Merges span attributes: inner values take precedence, tags are joined. May return one of both, which {@link NONE} leaves. */
export function mergeAttributes(outer: Attributes, inner: Attributes): Attributes {
  if (inner === NONE) return outer
  if (outer === NONE) return inner
  const result = { ...outer, ...inner }
  const tags = [outer[ATTRIBUTE.TRACE_TAGS], inner[ATTRIBUTE.TRACE_TAGS]].filter(Array.isArray).flat() as string[]
  if (tags.length > 0) result[ATTRIBUTE.TRACE_TAGS] = [...new Set(tags)]
  return result
}

function inExperiment(attributes: Attributes): Attributes {
  if (!attributes[ATTRIBUTE.EXPERIMENT_ITEM_ROOT_OBSERVATION_ID]) return attributes
  return { ...attributes, [ATTRIBUTE.ENVIRONMENT]: EXPERIMENT_ENVIRONMENT }
}
