import { type Context, context, type Link, propagation, type SpanContext, trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { requestIn } from '@svc/core/muted-span'
import { overrideMethod } from '@svc/core/override-method'
import { asRecord, asString, type Fields, isMethod, isObject } from '../gen-ai/read.ts'
import { isWorkRequest } from './methods.ts'

// The trace of a request is in its `_meta`, as SEP-414 says: https://modelcontextprotocol.io/seps/414

/** The traces that the other side of a transport was told of, which it may name itself. */
const told = new WeakMap<object, Set<string>>()
const MOST_TOLD = 100

/** Writes the active trace into the requests that a transport sends. */
export function followTransport(transport: unknown): void {
  if (!isObject(transport) || told.has(transport)) return
  const { send } = transport
  if (!isMethod(send)) return
  const traces = new Set<string>()
  told.set(transport, traces)
  overrideMethod(transport, 'send', function (message, ...rest) {
    const named = attempt('name the trace of a request', () => withTrace(message))
    const active = named && trace.getActiveSpan()?.spanContext().traceId
    if (active) traces.add(active)
    for (const oldest of traces) {
      if (traces.size <= MOST_TOLD) break
      traces.delete(oldest)
    }
    return send.call(this, named ?? message, ...rest)
  })
}

/** @returns a copy of a request that names the active trace; undefined if there is none, or the application names one */
export function withTrace(message: unknown): Fields | undefined {
  if (!isWorkRequest(message)) return undefined
  const params = asRecord(message.params)
  const meta = asRecord(params._meta)
  const active = trace.getActiveSpan()?.spanContext()
  if (!active || !trace.isSpanContextValid(active) || 'traceparent' in meta) return undefined
  const tracestate = active.traceState?.serialize()
  return {
    ...message,
    params: {
      ...params,
      _meta: {
        ...meta,
        traceparent: `00-${active.traceId}-${active.spanId}-0${active.traceFlags & 1}`,
        ...(tracestate ? { tracestate } : {}),
      },
    },
  }
}

export type TransportName = 'stdio' | 'memory' | 'websocket' | 'http'

/** The fields are those of the SDK's own classes, whose names a bundler may have changed. */
export function nameTransport(transport: unknown): TransportName {
  const { _stdin, _serverParams, _wire } = asRecord(transport)
  const name = String(Object(transport).constructor?.name)
  if (_stdin ?? _serverParams ?? asRecord(_wire)._stdin ?? /stdio/i.test(name)) return 'stdio'
  if ('_otherTransport' in asRecord(transport) || /memory/i.test(name)) return 'memory'
  return /websocket/i.test(name) ? 'websocket' : 'http'
}

export interface RequestParent {
  readonly context: Context
  readonly links: readonly Link[]
}

/**
 * Returns the context in which a request is handled: that of the trace which its `_meta` names. A process that talks by
 * standard streams was started by the other side, or has started it, and is believed; over a network it is as with
 * `traceparent` in the headers of a request, or the other side was told of the trace. Who is not believed is a link.
 */
export function parentOf(meta: Fields, transport: unknown): RequestParent {
  const active = context.active()
  const { traceparent, tracestate } = meta
  const carrier = { traceparent: asString(traceparent) ?? '', tracestate: asString(tracestate) ?? '' }
  const named = trace.getSpanContext(propagation.extract(trace.deleteSpan(active), carrier, LOCAL))
  if (!named || !trace.isSpanContextValid(named)) return { context: active, links: [] }
  const span = trace.getSpan(active)
  const around = span?.spanContext()
  // The request came on the way that the span says, which goes through the process or its HTTP server.
  if (around?.traceId === named.traceId && [around.spanId, parentIdOf(span)].includes(named.spanId)) {
    return { context: active, links: [] }
  }
  const isLocal = ['stdio', 'memory'].includes(nameTransport(transport)) || around?.traceId === named.traceId
  const isKnown = isObject(transport) && told.get(transport)?.has(named.traceId) === true
  const found = propagation.extract(active, carrier, isLocal || isKnown ? LOCAL : REMOTE)
  return { context: found, links: refusedLinks(named, around, trace.getSpanContext(found)) }
}

/** A root has the link by itself, `linkedToRefused`, but not what stands below the root of an HTTP request. */
function refusedLinks(named: SpanContext, around: SpanContext | undefined, found: SpanContext | undefined): Link[] {
  const isRefused = found?.spanId !== named.spanId
  const isBelow = (around && trace.isSpanContextValid(around)) || requestIn(context.active()) !== undefined
  return isRefused && isBelow ? [{ context: named }] : []
}

function parentIdOf(span: unknown): unknown {
  const { parentSpanContext, parentSpanId } = asRecord(span)
  return asRecord(parentSpanContext).spanId ?? parentSpanId
}

const keys = (carrier: object) => Object.keys(carrier)
const get = (carrier: Fields, name: string) => asString(carrier[name]) || undefined
const LOCAL = { keys, get }
/** Like the headers of a request, which have a host: `isOfRequest`. */
const REMOTE = { keys, get: (carrier: Fields, name: string) => (name === 'host' ? '' : get(carrier, name)) }
