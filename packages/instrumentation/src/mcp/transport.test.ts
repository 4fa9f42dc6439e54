import {
  context as active,
  propagation,
  ROOT_CONTEXT,
  type SpanContext,
  type TextMapPropagator,
  trace,
} from '@opentelemetry/api'
import { isOfRequest, refusingCallers } from '@svc/core/remote-parent'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordSpans } from '../../test/spans.ts'
import { followTransport, nameTransport, parentOf, withTrace } from './transport.ts'

recordSpans()
/** As OpenTelemetry's own does it. */
const w3c: TextMapPropagator = {
  inject() {},
  extract(context, carrier, getter) {
    const [, traceId = '', spanId = ''] = String(getter.get(carrier, 'traceparent')).split('-')
    return spanId ? trace.setSpanContext(context, { traceId, spanId, traceFlags: 1, isRemote: true }) : context
  },
  fields: () => ['traceparent', 'tracestate'],
}
const NOBODY = { trustTraceparent: false, trustBaggage: false }
beforeAll(() => {
  propagation.setGlobalPropagator(refusingCallers(w3c, NOBODY, isOfRequest))
})
afterAll(() => propagation.disable())

const caller: SpanContext = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }
const traceparent = `00-${caller.traceId}-${caller.spanId}-01`
const within = <T>(span: SpanContext, work: () => T): T => active.with(trace.setSpanContext(ROOT_CONTEXT, span), work)
const request = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'weather', _meta: { progressToken: 1 } },
}

describe('a request that is sent', () => {
  it('names the active trace beside what its _meta has, and nothing else of it changes', () => {
    const sent = within(caller, () => withTrace(request))
    expect(sent).toEqual({ ...request, params: { name: 'weather', _meta: { progressToken: 1, traceparent } } })
    expect(request.params._meta).toEqual({ progressToken: 1 })
  })

  it.each([
    ['names a trace already', { ...request, params: { _meta: { traceparent: 'of the application' } } }],
    ['keeps the connection going', { ...request, method: 'initialize' }],
    ['is a notification', { jsonrpc: '2.0', method: 'notifications/progress' }],
    ['is a result', { jsonrpc: '2.0', id: 1, result: {} }],
    ['is no message', null],
  ])('stays as it is if it %s', (_, message) => {
    expect(within(caller, () => withTrace(message))).toBeUndefined()
  })

  it('stays as it is outside of a trace', () => {
    expect(withTrace(request)).toBeUndefined()
  })

  it('is sent once by a transport that two sides are connected with, with its other arguments', () => {
    const sent: unknown[][] = []
    const transport = { send: (...args: unknown[]) => sent.push(args) }
    followTransport(transport)
    followTransport(transport)
    within(caller, () => transport.send(request, { relatedRequestId: 7 }))
    expect(sent).toEqual([[within(caller, () => withTrace(request)), { relatedRequestId: 7 }]])
  })
})

const LOCAL = [{ _stdin: process.stdin }, { _otherTransport: {} }]
const REMOTE = [new (class HTTPTransport {})(), new (class WebSocketTransport {})()]

describe('the parent of a request', () => {
  it.each(LOCAL)('is what it names, by %o', (transport) => {
    const { context, links } = parentOf({ traceparent }, transport)
    expect([trace.getSpanContext(context), links]).toMatchObject([caller, []])
  })

  it.each(REMOTE)('is not what an untrusted caller names, by %o', (transport) => {
    const { context, links } = parentOf({ traceparent }, transport)
    // The tracer adds the link of a root.
    expect([trace.getSpanContext(context), links]).toEqual([undefined, []])
  })

  it('is what it names if the other side was told of that trace', () => {
    const transport = { send() {} }
    followTransport(transport)
    within({ ...caller, spanId: 'e'.repeat(16) }, () => Reflect.apply(transport.send, transport, [request]))
    expect(trace.getSpanContext(parentOf({ traceparent }, transport).context)).toMatchObject(caller)
    expect(trace.getSpanContext(parentOf({ traceparent }, { send() {} }).context)).toBeUndefined()
  })

  it('is the span of an HTTP request whose untrusted caller is a link', () => {
    const http = { traceId: 'c'.repeat(32), spanId: 'd'.repeat(16), traceFlags: 1 }
    const { context, links } = within(http, () => parentOf({ traceparent }, {}))
    expect([trace.getSpanContext(context), links]).toMatchObject([http, [{ context: caller }]])
  })

  it.each([
    ['of the named one itself', caller],
    ['of one below the named one', { ...caller, spanId: 'e'.repeat(16) }],
  ])('is in the named trace where the active span is that %s', (_, span) => {
    const { context } = within(span, () => parentOf({ traceparent }, {}))
    expect(trace.getSpanContext(context)).toMatchObject(caller)
  })

  it.each([
    {},
    { traceparent: 'nonsense' },
    { traceparent: `00-${'0'.repeat(32)}-${caller.spanId}-01` },
    { traceparent: { toString: 1 } },
    { traceparent: [traceparent] },
  ])('is the active span where nothing valid is named: %o', (meta) => {
    const { context, links } = within(caller, () => parentOf(meta, LOCAL[0]))
    expect([trace.getSpanContext(context), links]).toEqual([caller, []])
  })
})

it.each([
  [new (class StdioServerTransport {})(), 'stdio'],
  [{ _stdin: process.stdin }, 'stdio'],
  [{ _serverParams: { command: 'node' } }, 'stdio'],
  [{ _wire: { _stdin: process.stdin } }, 'stdio'],
  [{ _otherTransport: {} }, 'memory'],
  [new (class WebSocketClientTransport {})(), 'websocket'],
  [new (class StreamableHTTPServerTransport {})(), 'http'],
  [Object.create(null), 'http'],
  [undefined, 'http'],
])('%o is %s', (transport, name) => {
  expect(nameTransport(transport)).toBe(name)
})
