import type { EventEmitter } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type Context, isSpanContextValid, propagation, trace } from '@opentelemetry/api'
import { apiGlobal } from '@svc/core/api-global'
import { attempt } from '@svc/core/attempt'
import { inheritPropagated, withDeferredAttributes } from '@svc/core/context'
import { FLAT_ROOT_CONTEXT, withSpan } from '@svc/core/flat-context'
import { MutedSpan, REQUEST, traceOnly } from '@svc/core/muted-span'
import { withBelieved } from '@svc/core/remote-parent'
import { beliefOf, type CallerTrust, withBelief } from '@svc/core/trust'
import { callerOf, servesAt } from '@svc/instrumentation/own-route'
import type { FlatContextManager } from './flat-context-manager.ts'
import { FollowedRequest } from './followed-request.ts'
import { RootRequest } from './http-root/http-request.ts'
import type { HttpRoots } from './http-root/http-roots.ts'
import { type Describe, describesRequest, describesStream } from './http-root/served.ts'
import type { FollowedCall, RequestFollower } from './request-channels.ts'
import type { RequestValues } from './request-values.ts'
import type { TraceIds } from './trace-ids.ts'

/** What is read of requests. May change at any time. */
export interface RequestSettings extends CallerTrust {
  /** Returns attributes of a request that may become known while it is served: its user and session. Default: none. */
  readonly requestValues?: RequestValues | undefined
}

/**
 * Returns the function that Node's diagnostics channels call for every request, before the application's handler. It
 * gives the request a context with a trace of its own, or with the trace of its `traceparent` where its caller is
 * trusted. No span is recorded for that: the context holds a {@link MutedSpan} with the trace id.
 *
 * @param roots creates the root spans of requests. Default: there are none (`SVC_HTTP_ROOT`)
 */
export function requestFollower(
  manager: FlatContextManager,
  ids: TraceIds,
  settings: RequestSettings,
  roots?: HttpRoots,
): RequestFollower {
  /** @returns the context of a request, and its root */
  const open = (incoming: Context, describe: Describe | undefined, isAlways?: boolean) => {
    const caller = trace.getSpanContext(incoming)
    const spanContext = caller && isSpanContextValid(caller) ? caller : traceOnly(ids.generateTraceId())
    const opened = roots && describe && new RootRequest(roots, describe, incoming, spanContext.traceId, isAlways)
    const span = new MutedSpan(spanContext, opened)
    return { context: withSpan(incoming, span, REQUEST, span), opened }
  }
  /**
   * @param path with its query
   * @param response emits `close` when the request is over
   * @param connection returns its socket, which HTTP/2 has no more once the session has ended
   */
  const follow = (
    path: string | undefined,
    headers: IncomingHttpHeaders,
    connection: () => Socket | undefined,
    describe: Describe | undefined,
    response: EventEmitter,
    request?: IncomingMessage,
  ) => {
    const deferred = request && settings.requestValues?.(request)
    const extracted = incomingContext(headers, connection, settings)
    const caller = attempt('look at a request', () => callerOf(path, connection()))
    const placed = caller ? within(extracted, caller) : extracted
    const incoming = deferred ? withDeferredAttributes(placed, deferred) : placed
    const { context, opened } = open(incoming, describe, caller !== undefined)
    // Applies to code after this callback in the same tick: the application's request handler.
    manager.enter(context)
    const followed = new FollowedRequest(manager, context, response, opened)
    if (request) followed.follow(request)
  }
  const call = (headers: IncomingHttpHeaders, describe: Describe | undefined, isAlways: boolean): FollowedCall => {
    const { context, opened } = open(
      incomingContext(headers, () => undefined, settings),
      describe,
      isAlways,
    )
    return { run: (work) => manager.with(context, work), done: () => opened?.done() }
  }
  return {
    http1: ({ request, response }) =>
      follow(
        request.url,
        request.headers,
        () => request.socket,
        roots && describesRequest(request, response),
        response,
        request,
      ),
    http2: ({ stream, headers }) =>
      follow(
        headers[':path']?.toString(),
        headers,
        () => stream.session?.socket,
        roots && describesStream(stream, headers),
        stream,
      ),
    invocation(headers, describe) {
      ids.renew()
      return call(headers, describe, true)
    },
    web: (headers, describe) => call(headers, roots && describe, false),
    listens: servesAt,
  }
}

/**
 * Extracts the context from the headers of a request. Propagators are not called for requests without any of the
 * headers that they read, which are most.
 */
function incomingContext(
  headers: IncomingHttpHeaders,
  connection: () => Pick<Socket, 'remoteAddress'> | undefined,
  settings: RequestSettings,
): Context {
  const { traceparent, tracestate, baggage } = headers
  const isBare = traceparent === undefined && tracestate === undefined && baggage === undefined && onlyReads(FIELDS)
  // Of addresses it has to be remembered who asks: the body of the request may name a trace, too, as that of MCP does.
  if (isBare && typeof settings.trustTraceparent !== 'object') return FLAT_ROOT_CONTEXT
  const belief = beliefOf(
    settings,
    attempt('look at a connection', () => connection()?.remoteAddress),
  )
  const before = withBelief(FLAT_ROOT_CONTEXT, belief)
  if (isBare) return before
  // Again, because the application may have registered a propagator of its own.
  return withBelieved(propagation.extract(before, headers), before, belief, settings)
}

/** In the span of a call whose request came back to this process, and of its user. */
function within(incoming: Context, caller: Context): Context {
  const span = trace.getSpan(caller)
  return inheritPropagated(span ? withSpan(incoming, span) : incoming, caller)
}

/** The headers of the default propagators. */
const FIELDS: readonly string[] = ['traceparent', 'tracestate', 'baggage']
/** The propagator that `isStandard` was determined for. */
let registered: unknown
let isStandard = false

/** Whether the registered propagator reads no other headers than these. The application may replace it at any time. */
function onlyReads(fields: readonly string[]): boolean {
  const now = apiGlobal()?.propagation
  if (now !== registered) {
    registered = now
    isStandard = propagation.fields().every((name) => fields.includes(name.toLowerCase()))
  }
  return isStandard
}
