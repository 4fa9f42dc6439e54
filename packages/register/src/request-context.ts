import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Context, isSpanContextValid, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import type { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { MutedSpan, type RequestRoot, traceOnly } from './muted-span.ts'
import type { TraceIds } from './trace-ids.ts'

/** Makes what stands for the whole request; `parent` is the context that came in with its headers. */
export type OpenRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  parent: Context,
  traceId: string,
) => RequestRoot | undefined

/**
 * Gives every HTTP request of this process a trace of its own, or the one its `traceparent` names, without making
 * a span and without loading or patching `http`: Node announces each request on a diagnostics channel.
 */
export function followRequests(
  manager: AsyncLocalStorageContextManager,
  ids: TraceIds,
  openRequest: OpenRequest = () => undefined,
): void {
  subscribe('http.server.request.start', (message) => {
    try {
      const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
      const context = requestContext(request, response, ids, openRequest)
      // Valid for what runs after this callback on the same tick: the application's request handler.
      manager.attach(context)
      emitWithin(manager, context, request)
      emitWithin(manager, context, response)
    } catch {
      // A request we cannot follow is served like any other.
    }
  })
}

function requestContext(
  request: IncomingMessage,
  response: ServerResponse,
  ids: TraceIds,
  openRequest: OpenRequest,
): Context {
  const incoming = propagation.extract(ROOT_CONTEXT, request.headers)
  const caller = trace.getSpanContext(incoming)
  const over = caller && isSpanContextValid(caller) ? caller : traceOnly(ids.generateTraceId())
  return trace.setSpan(incoming, new MutedSpan(over, openRequest(request, response, incoming, over.traceId)))
}

// Since Node 24 the events of a request (`data`, `end`, `close`) run in the context the connection was made in.
function emitWithin(manager: AsyncLocalStorageContextManager, context: Context, emitter: NodeJS.EventEmitter): void {
  const emit = emitter.emit
  emitter.emit = function (this: unknown, ...args: Parameters<typeof emit>) {
    return manager.with(context, () => emit.apply(emitter, args))
  }
}
