import { subscribe } from 'node:diagnostics_channel'
import type { EventEmitter } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { type Context, createContextKey, isSpanContextValid, propagation, trace } from '@opentelemetry/api'
import type { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { FLAT_ROOT_CONTEXT, withSpan } from '@svc/core/flat-context'
import { MutedSpan, type RequestRoot, traceOnly } from '@svc/core/muted-span'
import { withoutRemoteParent } from '@svc/core/remote-parent'
import type { TraceIds } from './trace-ids.ts'

/** Makes what stands for the whole request; `parent` is the context that came in with its headers. */
export type OpenRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  parent: Context,
  traceId: string,
) => RequestRoot | undefined

/** Marks the contexts of one request: its value is the request's own {@link MutedSpan}. */
const REQUEST = createContextKey('svc.request')

/**
 * Gives every HTTP request of this process a trace of its own, or the one its `traceparent` names where that is trusted,
 * without making a span and without loading or patching `http`: Node announces each request on a diagnostics channel (HTTP/2 since
 * Node 22.20 and 24.2).
 */
export function followRequests(
  manager: AsyncLocalStorageContextManager,
  ids: TraceIds,
  trustsTraceparent: () => boolean,
  openRequest: OpenRequest = () => undefined,
): void {
  const follow = (headers: IncomingHttpHeaders, emitters: readonly EventEmitter[], open?: Opener) => {
    const context = requestContext(headers, ids, trustsTraceparent(), open)
    // Valid for what runs after this callback on the same tick: the application's request handler.
    manager.attach(context)
    for (const emitter of emitters) emitWithin(manager, context, emitter)
  }
  subscribeQuietly('http.server.request.start', ({ request, response }: Http1Request) => {
    follow(request.headers, [request, response], (parent, traceId) => openRequest(request, response, parent, traceId))
  })
  subscribeQuietly('http2.server.stream.start', ({ stream, headers }: Http2Request) => {
    follow(headers, [stream])
  })
}

type Opener = (parent: Context, traceId: string) => RequestRoot | undefined

interface Http1Request {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface Http2Request {
  readonly stream: EventEmitter
  readonly headers: IncomingHttpHeaders
}

/** A request that we cannot follow is served like any other. */
function subscribeQuietly<Message>(channel: string, follow: (message: Message) => void): void {
  subscribe(channel, (message) => {
    try {
      follow(message as Message)
    } catch {}
  })
}

function requestContext(
  headers: IncomingHttpHeaders,
  ids: TraceIds,
  trustsTraceparent: boolean,
  open: Opener | undefined,
): Context {
  const extracted = propagation.extract(FLAT_ROOT_CONTEXT, headers)
  const incoming = trustsTraceparent ? extracted : withoutRemoteParent(extracted)
  const caller = trace.getSpanContext(incoming)
  const over = caller && isSpanContextValid(caller) ? caller : traceOnly(ids.generateTraceId())
  const span = new MutedSpan(over, open?.(incoming, over.traceId))
  return withSpan(incoming, span).setValue(REQUEST, span)
}

/**
 * Since Node 24 the events of a request (`data`, `end`, `close`) come in the context the connection was made in. What
 * is emitted from inside the request keeps the context it is emitted in.
 */
function emitWithin(manager: AsyncLocalStorageContextManager, context: Context, emitter: EventEmitter): void {
  const { emit } = emitter
  const request = context.getValue(REQUEST)
  const value = function (this: EventEmitter, ...args: Parameters<EventEmitter['emit']>): boolean {
    if (manager.active().getValue(REQUEST) === request) return Reflect.apply(emit, this, args)
    return manager.with(context, () => Reflect.apply(emit, this, args))
  }
  Object.defineProperty(emitter, 'emit', { value, writable: true, configurable: true })
}
