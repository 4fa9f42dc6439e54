import type { EventEmitter } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type Context, isSpanContextValid, propagation, trace } from '@opentelemetry/api'
import { withLateAttributes } from '@svc/core/context'
import { FLAT_ROOT_CONTEXT, withSpan } from '@svc/core/flat-context'
import { MutedSpan, traceOnly } from '@svc/core/muted-span'
import { withoutRemoteParent } from '@svc/core/remote-parent'
import type { FlatContextManager } from './flat-context-manager.ts'
import { type OpenedRequest, type OpenRequest, type Served, ServedRequest, ServedStream } from './http-root/served.ts'
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
    manager.attach(context)
    if (request) emitWithin(manager, context, request)
    emitWithin(manager, context, response, opened)
  }
  return {
    http1: ({ request, response }) => follow(request.headers, new ServedRequest(request, response), response, request),
    http2: ({ stream, headers }) => follow(headers, new ServedStream(stream, headers), stream),
  }
}

function incomingContext(headers: IncomingHttpHeaders, trustsTraceparent: boolean): Context {
  const extracted = propagation.extract(FLAT_ROOT_CONTEXT, headers)
  return trustsTraceparent ? extracted : withoutRemoteParent(extracted)
}

/**
 * Since Node 24 the events of a request (`data`, `end`, `close`) come in the context the connection was made in. What
 * is emitted from inside the request keeps the context it is emitted in.
 */
function emitWithin(
  manager: FlatContextManager,
  context: Context,
  emitter: EventEmitter,
  opened?: OpenedRequest,
): void {
  const { emit } = emitter
  const request = context.getValue(REQUEST)
  const value = function (this: EventEmitter, ...args: Parameters<EventEmitter['emit']>): boolean {
    const [event] = args
    if (event === 'close') opened?.done()
    // No listener runs that needs a context. (Error monitors do not count as listeners of `error`.)
    if (event !== 'error' && this.listenerCount(event) === 0) return Reflect.apply(emit, this, args)
    if (manager.active().getValue(REQUEST) === request) return Reflect.apply(emit, this, args)
    return manager.with(context, () => Reflect.apply(emit, this, args))
  }
  Object.defineProperty(emitter, 'emit', { value, writable: true, configurable: true })
}
