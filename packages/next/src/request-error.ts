import type { Attributes, Span } from '@opentelemetry/api'
import { context as activeContext, SpanStatusCode, trace } from '@svc/core/api'
import { attempt } from '@svc/core/attempt'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { toMetadataText } from '@svc/core/json'
import { ON_SERVER } from '@svc/core/on-server'
import * as SLOTS from '@svc/core/slots'
import { messageIn, SPAN_FIELD, startSpan, typeAttribute } from '@svc/tracing/adapters'
import { isAbort, isControlFlow } from './control-flow.ts'
import { deliverWithRequests } from './delivery.ts'
import { isBuilding } from './host.ts'

// On globalThis: bundlers make a copy of this module for each of Next's layers.
const SLOT = Symbol.for(SLOTS.NEXT_ERRORS)
const slots = globalThis as unknown as Record<symbol, WeakSet<object> | undefined>

/** Remembers that an observation has recorded this error. */
export function noteError(error: unknown): void {
  slots[SLOT] ??= new WeakSet()
  if (typeof error === 'object' && error !== null) slots[SLOT].add(error)
}

/** Most errors of a chain of causes that are looked at. A chain may be a circle. */
const LONGEST_CHAIN = 10

/** Next puts errors of a stream into others of its own. */
function isNoted(error: unknown): boolean {
  let each = error
  for (let depth = 0; depth < LONGEST_CHAIN; depth += 1) {
    if (typeof each !== 'object' || each === null) return false
    if (slots[SLOT]?.has(each)) return true
    each = (each as { cause?: unknown }).cause
  }
  return false
}

/** Returns the error of a stream that Next has put into one that says nothing of it. */
function ofStream(error: unknown): unknown {
  const { cause } = (error ?? {}) as { cause?: unknown }
  return cause !== undefined && messageIn(error) === 'failed to pipe response' ? cause : error
}

/** The part that is recorded of Next's information about a failed request. */
export interface ErrorContext {
  readonly routerKind?: string
  readonly routePath?: string
  readonly routeType?: string
  readonly renderSource?: string
}

const RECORDED = ['routerKind', 'routePath', 'routeType', 'renderSource'] as const

/** The part that is recorded of a failed request. */
export interface FailedRequest {
  readonly method?: string
}

/**
 * Next's hook for errors that it caught, for `instrumentation.ts`. An error that no observation has recorded is put on the
 * root of the request where that is recorded, else it is an event in the trace of the request, named by method and route.
 * Redirects and the like are no errors. Never throws.
 *
 * @example
 * export { onRequestError } from '@svc/next'
 */
export function onRequestError(error: unknown, request: FailedRequest, context: ErrorContext): void {
  attempt('record a failed request', () => {
    if (isBuilding() || isControlFlow(error) || isAbort(error)) return
    if (isNoted(error)) return
    noteError(error)
    const statusMessage = messageIn(ON_SERVER ? ofStream(error) : error) ?? 'Unknown error'
    const failure: Attributes = { [SPAN_FIELD.level]: 'ERROR', [SPAN_FIELD.statusMessage]: statusMessage }
    for (const name of RECORDED) failure[`${ATTRIBUTE.OBSERVATION_METADATA}.${name}`] = toMetadataText(context?.[name])
    const span = rootSpan()
    if (span?.isRecording()) {
      span.recordException(error as Error)
      span.setStatus({ code: SpanStatusCode.ERROR, message: statusMessage })
      span.setAttributes({ ...typeAttribute('span'), ...failure })
      return
    }
    deliverWithRequests()
    const name = `${request?.method ?? 'request'} ${context?.routePath ?? ''}`.trim()
    const now = new Date()
    const event = startSpan('event', name, now, activeContext.active())
    event.setAttributes(failure)
    event.end(now)
  })
}

/** Returns the span of the whole request: Next's own where it is recorded, else the one that SVC_HTTP_ROOT makes. */
function rootSpan(): Span | undefined {
  const active = trace.getActiveSpan() as (Span & { request?: { open?(): Span | undefined } }) | undefined
  return active?.isRecording() ? active : ON_SERVER ? active?.request?.open?.() : undefined
}
