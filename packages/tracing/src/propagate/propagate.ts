import type { Attributes, Context, Span } from '@opentelemetry/api'
import { context, trace } from '@svc/core/api'
import { attempt } from '@svc/core/attempt'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { NONE, propagatedAttributes, withPropagatedAttributes } from '@svc/core/context'
import { foreignText } from '@svc/core/foreign-text'
import { warnOnce } from '@svc/core/log'
import { requestIn } from '@svc/core/muted-span'
import { ON_SERVER } from '@svc/core/on-server'
import { warnFew } from '@svc/core/warn-few'
import { writeWithRoom } from '../attribute-budget.ts'
import { read } from '../read.ts'
import { requireFunction } from '../require-function.ts'
import { acceptedAttributes, acceptedIdentity, acceptedMetadata, isGiven } from './accept.ts'
import { withBaggage } from './baggage.ts'
import type { PropagateAttributesParams } from './params.ts'
import { propagatedText } from './values.ts'

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
  const inner = attempt('propagate attributes', propagated, active, params) ?? active
  return inner === active ? fn() : context.with(inner, fn)
}

function propagated(active: Context, params: unknown): Context | undefined {
  if (typeof params !== 'object' || params === null) {
    warnOnce(
      `propagateAttributes(params, fn) expected an object of values, got ${params === null ? params : typeof params}.`,
    )
    return undefined
  }
  attempt('look for unknown values', complainAboutOthers, params)
  const attributes = acceptedAttributes(params, reject)
  const metadata = metadataOf(params, active)
  const inner = withValues(active, attributes, metadata, writeWithRoom)
  return read(params, 'asBaggage') === true ? withBaggage(inner, { ...attributes, ...metadata }, reject) : inner
}

const NAMES: readonly string[] = [
  'userId',
  'sessionId',
  'version',
  'traceName',
  'environment',
  'tags',
  'metadata',
  'prompt',
  'asBaggage',
] satisfies (keyof PropagateAttributesParams)[]

// For plain JavaScript: the types do not allow these values.
function complainAboutOthers(params: object): void {
  for (const name of Object.keys(params)) {
    if (NAMES.includes(name) || name === '_internalExperiment' || !isGiven(read(params, name))) continue
    warnOnce(`propagateAttributes: ${foreignText(name, 100)} is dropped: expected one of ${NAMES.join(', ')}`)
  }
}

/**
 * Returns the context with what a framework adapter knows of a request: user, session, version, trace name, tags and
 * metadata, for which a span has room. The active span of `active` gets them, too. Never throws.
 */
export function identityIn(active: Context, identity: object): Context {
  return attempt('propagate attributes', identified, active, identity) ?? active
}

function identified(active: Context, identity: object): Context {
  return withValues(active, acceptedIdentity(identity, reject), metadataOf(identity, active))
}

/** What {@link identityIn} adds for a trace name. For adapters that know it before the first request. */
export function traceNameAttributes(name: string | undefined): Attributes {
  return name === undefined ? NONE : propagatedText('traceName', name, reject)
}

function metadataOf(params: object, outer: Context): Attributes {
  const metadata = read(params, 'metadata')
  return isGiven(metadata) ? acceptedMetadata(metadata, propagatedAttributes(outer), reject) : NONE
}

type Write = (span: Span, attributes: Attributes, metadata: Attributes) => void

/**
 * Returns the context with these values. The active span gets them, too, with the tags that are propagated already: by
 * `write` where there may be no room for metadata.
 */
function withValues(active: Context, attributes: Attributes, metadata: Attributes, write?: Write): Context {
  const inner = withPropagatedAttributes(active, { ...attributes, ...metadata })
  // The root of a request is above what is active, or not made yet.
  if (ON_SERVER) requestIn(active)?.identify?.(attributes)
  const span = trace.getSpan(active)
  if (span?.isRecording()) {
    const tags = attributes[ATTRIBUTE.TRACE_TAGS] && propagatedAttributes(inner)[ATTRIBUTE.TRACE_TAGS]
    const values = tags ? { ...attributes, [ATTRIBUTE.TRACE_TAGS]: tags } : attributes
    if (write && metadata !== NONE) write(span, values, metadata)
    else span.setAttributes({ ...values, ...metadata })
  }
  return inner
}

function reject(what: string, reason: string): void {
  warnFew(`propagateAttributes: ${what} is dropped: ${reason}`)
}
