import { type Context, context, trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { propagatedAttributes, withPropagatedAttributes } from '@svc/core/context'
import { log, warnOnce } from '@svc/core/log'
import { writeWithRoom } from '../attribute-budget.ts'
import { read } from '../read.ts'
import { requireFunction } from '../require-function.ts'
import { acceptedAttributes, acceptedMetadata } from './accept.ts'
import { withBaggage } from './baggage.ts'
import type { PropagateAttributesParams } from './params.ts'

/**
 * Writes user, session, tags, metadata, … to the active span and to every span that starts while `fn` runs, whichever
 * library starts it. Spans that started before are not changed. Later and inner values take precedence; tags are joined
 * and metadata is merged by key. Invalid values are dropped, with a warning that names them; they never throw.
 *
 * @param params the values
 * @param fn the work
 * @returns what `fn` returns
 * @throws {TypeError} when `fn` is not a function, and whatever `fn` throws
 * @example
 * await propagateAttributes({ userId: user.id, sessionId, metadata: { plan: 'pro', seats: 5 } }, () => agent.run(question))
 */
export function propagateAttributes<R>(params: PropagateAttributesParams, fn: () => R): R {
  requireFunction(fn, 'propagateAttributes(params, fn)')
  const active = context.active()
  const inner = propagatedIn(active, params)
  return inner === active ? fn() : context.with(inner, fn)
}

/**
 * Returns the context in which {@link propagateAttributes} runs a function, for callers that enter it themselves: the
 * given one if nothing can be propagated. The active span of `active` gets the values. Never throws.
 */
export function propagatedIn(active: Context, params: unknown): Context {
  return attempt('propagate attributes', () => propagated(active, params)) ?? active
}

function propagated(active: Context, params: unknown): Context | undefined {
  if (typeof params !== 'object' || params === null) {
    warnOnce(
      `propagateAttributes(params, fn) expected an object of values, got ${params === null ? params : typeof params}.`,
    )
    return undefined
  }
  const outer = propagatedAttributes(active)
  const attributes = acceptedAttributes(params, reject)
  const metadata = acceptedMetadata(read(params, 'metadata'), outer, reject)
  const inner = withPropagatedAttributes(active, { ...attributes, ...metadata })
  const span = trace.getSpan(active)
  if (span?.isRecording()) {
    const tags = attributes[ATTRIBUTE.TRACE_TAGS] && propagatedAttributes(inner)[ATTRIBUTE.TRACE_TAGS]
    writeWithRoom(span, { ...attributes, ...(tags ? { [ATTRIBUTE.TRACE_TAGS]: tags } : {}) }, metadata)
  }
  return read(params, 'asBaggage') === true ? withBaggage(inner, { ...attributes, ...metadata }, reject) : inner
}

function reject(what: string, reason: string): void {
  log.warn(`propagateAttributes: ${what} is dropped: ${reason}`)
}
