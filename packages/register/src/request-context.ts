import type { EventEmitter } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type Context, isSpanContextValid, propagation, trace } from '@opentelemetry/api'
import { withLateAttributes } from '@svc/core/context'
import { FLAT_ROOT_CONTEXT, withSpan } from '@svc/core/flat-context'
import { MutedSpan, traceOnly } from '@svc/core/muted-span'
import { withoutRemoteParent } from '@svc/core/remote-parent'
import { apiGlobal } from './api-global.ts'
import type { FlatContextManager } from './flat-context-manager.ts'
import { FollowedRequest } from './followed-request.ts'
import { type OpenRequest, type Served, ServedRequest, ServedStream } from './http-root/served.ts'
import type { RequestValues } from './request-values.ts'
import { REQUEST, type RequestFollower } from './requests.ts'
import type { TraceIds } from './trace-ids.ts'

/** How requests are handled. */
interface RequestOptions {
  /** Whether the trace of `traceparent` is continued; called for each request. */
  readonly trustsTraceparent: () => boolean
  readonly requestValues: RequestValues
  readonly openRequest: OpenRequest | undefined
}

/**
 * Gives every HTTP request a trace of its own, or the one its `traceparent` names where that is trusted, without making a
 * span.
 */
export function requestFollower(
  manager: FlatContextManager,
  ids: TraceIds,
  { trustsTraceparent, requestValues, openRequest }: RequestOptions,
): RequestFollower {
  /** `response` is closed when the request is over. */
  const follow = (headers: IncomingHttpHeaders, served: Served, response: EventEmitter, request?: IncomingMessage) => {
    const late = request && requestValues(request)
    const came = incomingContext(headers, trustsTraceparent())
    const incoming = late ? withLateAttributes(came, late) : came
    const caller = trace.getSpanContext(incoming)
    const over = caller && isSpanContextValid(caller) ? caller : traceOnly(ids.generateTraceId())
    const opened = openRequest?.(served, incoming, over.traceId)
    const span = new MutedSpan(over, opened)
    const context = withSpan(incoming, span).setValue(REQUEST, span)
    // Applies to code after this callback in the same tick: the application's request handler.
    manager.enter(context)
    const followed = new FollowedRequest(manager, context, response, opened)
    if (request) followed.follow(request)
  }
  return {
    http1: ({ request, response }) => follow(request.headers, new ServedRequest(request, response), response, request),
    http2: ({ stream, headers }) => follow(headers, new ServedStream(stream, headers), stream),
  }
}

/** What came with its headers. Most requests come with nothing, and nothing is looked for in them. */
function incomingContext(headers: IncomingHttpHeaders, trustsTraceparent: boolean): Context {
  if (onlyReads(FIELDS) && FIELDS.every((name) => headers[name] === undefined)) return FLAT_ROOT_CONTEXT
  const extracted = propagation.extract(FLAT_ROOT_CONTEXT, headers)
  return trustsTraceparent ? extracted : withoutRemoteParent(extracted)
}

/** The headers of the default propagators. */
const FIELDS: readonly string[] = ['traceparent', 'tracestate', 'baggage']
let registered: unknown
let isStandard = false

/** Whether the propagator that is registered reads no other headers than these. */
function onlyReads(fields: readonly string[]): boolean {
  const now = apiGlobal()?.propagation
  if (now !== registered) {
    registered = now
    isStandard = propagation.fields().every((name) => fields.includes(name.toLowerCase()))
  }
  return isStandard
}
