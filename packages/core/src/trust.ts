import type { Context } from '@opentelemetry/api'
import { createContextKey } from '@svc/core/api'
import { ON_SERVER } from '@svc/core/on-server'
import { propagation } from '@svc/core/propagation'
import type { Trust } from './address-ranges.ts'
import * as BAGGAGE from './attributes/baggage.ts'
import { isWithin } from './is-within.ts'
import { log } from './log.ts'

export type { Trust }

/** Whom a process believes. May change at any time. */
export interface CallerTrust {
  readonly trustTraceparent: Trust
  readonly trustBaggage: Trust
}

/** What is believed of the caller of a request. */
export interface Belief {
  readonly trace: boolean
  /** User, session, tags and the like. */
  readonly values: boolean
  readonly address?: string | undefined
}

/** `createContextKey` is `Symbol.for` underneath: every copy of this module shares the key. */
const BELIEF = createContextKey('svc.belief')
const OWN_BAGGAGE = createContextKey('svc.own-baggage')

/**
 * Whether a caller is believed.
 *
 * @param address the other end of its connection, which no header can change; undefined where there is none to see
 */
export function trusts(trust: Trust, address?: string | undefined): boolean {
  return typeof trust === 'object' ? ON_SERVER && isWithin(address, trust) : trust === true
}

/** Returns what is believed of the caller at an address. */
export function beliefOf({ trustTraceparent, trustBaggage }: CallerTrust, address?: string | undefined): Belief {
  return { trace: trusts(trustTraceparent, address), values: trusts(trustBaggage, address), address }
}

/** Returns the context of a request with what is believed of its caller. */
export function withBelief(context: Context, belief: Belief): Context {
  return context.setValue(BELIEF, belief)
}

/** Returns what {@link withBelief} has set. */
export function beliefIn(context: Context): Belief | undefined {
  return context.getValue(BELIEF) as Belief | undefined
}

/** Whether the `svc_*` baggage in a context counts: everybody's does, or the caller of the request is believed. */
export function trustsBaggageIn(context: Context, trust: Trust): boolean {
  return trust === true || (trust !== false && beliefIn(context)?.values === true)
}

/**
 * Returns the context of a request, without the `svc_*` baggage of a caller that is not believed. What is in the baggage
 * of contexts below it was added by this process, and stays.
 */
export function withTrustedBaggage(context: Context, trust: Trust, address?: string | undefined): Context {
  return context.getValue(OWN_BAGGAGE) === true ? context : withReceivedBaggage(context, trust, address)
}

/** As {@link withTrustedBaggage}, of a context whose baggage was extracted just now. */
export function withReceivedBaggage(context: Context, trust: Trust, address?: string | undefined): Context {
  if (trusts(trust, address) || trustsBaggageIn(context, trust)) return context
  const clean = withoutSvcBaggage(context)
  if (clean !== context) reportRefused(trust, address)
  return clean.setValue(OWN_BAGGAGE, true)
}

/**
 * Returns the context without `svc_*` baggage, for requests from clients that must not set the user, session or tags of
 * a trace. Other baggage and the trace are kept.
 */
export function withoutSvcBaggage(context: Context): Context {
  const baggage = propagation.getBaggage(context)
  const ours = baggage?.getAllEntries().flatMap(([key]) => (key.startsWith(BAGGAGE.PREFIX) ? [key] : []))
  return baggage && ours && ours.length > 0 ? propagation.setBaggage(context, baggage.removeEntries(...ours)) : context
}

/** Says once that a caller is not believed, unless somebody has decided so. */
export function reportRefused(trust: Trust, address: string | undefined): void {
  if (trust === false) return
  const from = address === undefined ? '' : ` from ${address}`
  log.once(
    'warn',
    `a request${from} names a trace or a user, which is not trusted: it gets a trace of its own, with a link. Set ` +
      'SVC_TRUST_TRACEPARENT and SVC_TRUST_BAGGAGE to the addresses of your own services, or to false, which silences ' +
      'this: docs/service-to-service.md.',
    'refused caller',
  )
}
