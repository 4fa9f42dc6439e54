import { defaultTextMapGetter, ROOT_CONTEXT, type TextMapPropagator, trace } from '@opentelemetry/api'
import { context as contexts } from '@svc/core/api'
import { expect, it, vi } from 'vitest'
import { isOfRequest, linkedToRefused, refusingCallers, withBelieved } from './remote-parent.ts'
import { beliefIn, beliefOf, type CallerTrust, withBelief } from './trust.ts'

const caller = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }
const traceparent = `00-${caller.traceId}-${caller.spanId}-01`
const own = { traceId: 'c'.repeat(32), spanId: 'd'.repeat(16), traceFlags: 1 }

/** As OpenTelemetry's own does it. */
const inner: TextMapPropagator = {
  inject() {},
  extract(context, carrier, getter) {
    const [, traceId = '', spanId = ''] = String(getter.get(carrier, 'traceparent')).split('-')
    return spanId ? trace.setSpanContext(context, { traceId, spanId, traceFlags: 1, isRemote: true }) : context
  },
  fields: () => ['traceparent'],
}
const NOBODY: CallerTrust = { trustTraceparent: false, trustBaggage: false }
const LOOPBACK: CallerTrust = { trustTraceparent: ['127.0.0.0/8', '::1'], trustBaggage: ['127.0.0.0/8', '::1'] }
const refusing = refusingCallers(inner, NOBODY, isOfRequest)
const extracted = (headers: object, context = ROOT_CONTEXT, propagator = refusing) =>
  propagator.extract(context, headers, defaultTextMapGetter)

it.each(['host', ':authority'])('an untrusted remote parent becomes a link (%s)', (host) => {
  const context = extracted({ [host]: 'shop.example', traceparent })
  expect(trace.getSpanContext(context)).toBeUndefined()
  expect(linkedToRefused({ links: [{ context: own }] }, context)?.links).toEqual([
    { context: own },
    { context: { ...caller, isRemote: true } },
  ])
})

it('an active local span stays the parent, without a link', () => {
  const active = trace.setSpanContext(ROOT_CONTEXT, own)
  const context = extracted({ host: 'shop.example', traceparent }, active)
  expect(trace.getSpanContext(context)).toEqual(own)
  expect(linkedToRefused(undefined, context)).toBeUndefined()
  expect(linkedToRefused({ root: true }, context)?.links).toHaveLength(1)
})

it('a queue message continues its trace, and an HTTP caller is refused, with or without a Host header', () => {
  expect(trace.getSpanContext(extracted({ traceparent }))).toMatchObject(caller)
  const refused = withBelieved(extracted({ traceparent }), ROOT_CONTEXT, beliefOf(NOBODY), NOBODY)
  expect(trace.getSpanContext(refused)).toBeUndefined()
  expect(trace.getSpanContext(extracted({ traceparent }, refused))).toBeUndefined()
})

it('metadata of gRPC are those of a request', () => {
  const metadata = new Map([['traceparent', [traceparent]]])
  const carrier = { get: (name: string) => metadata.get(name) ?? [], getMap: () => ({ traceparent }) }
  const getter = { get: (of: typeof carrier, name: string) => of.get(name), keys: () => ['traceparent'] }
  const context = refusing.extract(ROOT_CONTEXT, carrier, getter)
  expect(trace.getSpanContext(context)).toBeUndefined()
  expect(linkedToRefused(undefined, context)?.links).toEqual([{ context: { ...caller, isRemote: true } }])
})

it('the context is unchanged if callers are trusted or nothing arrives', () => {
  const trusting = refusingCallers(inner, { trustTraceparent: true, trustBaggage: true }, isOfRequest)
  expect(trace.getSpanContext(extracted({ host: 'h', traceparent }, ROOT_CONTEXT, trusting))).toMatchObject(caller)
  expect(extracted({ host: 'h' })).toBe(ROOT_CONTEXT)
  expect(withBelieved(ROOT_CONTEXT, ROOT_CONTEXT, beliefOf(NOBODY), NOBODY)).toBe(ROOT_CONTEXT)
  expect(linkedToRefused(undefined, ROOT_CONTEXT)).toBeUndefined()
})

it('a caller is believed by the address of the request that it is followed in', () => {
  const propagator = refusingCallers(inner, LOOPBACK, isOfRequest)
  const parentFrom = (address: string | undefined) => {
    const before = withBelief(ROOT_CONTEXT, beliefOf(LOOPBACK, address))
    return trace.getSpanContext(extracted({ host: 'h', traceparent }, before, propagator))?.traceId
  }
  expect(['127.0.0.1', '10.0.0.1', undefined].map(parentFrom)).toEqual([caller.traceId, undefined, undefined])
  expect(trace.getSpanContext(extracted({ host: 'h', traceparent }, ROOT_CONTEXT, propagator))).toBeUndefined()
})

it('what an instrumentation extracts into the root context has the belief of the active request', () => {
  const belief = beliefOf(LOOPBACK, '::1')
  const active = vi.spyOn(contexts, 'active').mockReturnValue(withBelief(ROOT_CONTEXT, belief))
  const context = extracted({ host: 'h', traceparent }, ROOT_CONTEXT, refusingCallers(inner, LOOPBACK, isOfRequest))
  expect(trace.getSpanContext(context)).toMatchObject(caller)
  expect(beliefIn(context)).toBe(belief)
  active.mockRestore()
})

it('a caller that was refused stays refused in whatever carrier code finds it', () => {
  const refused = extracted({ host: 'h', traceparent })
  const active = vi.spyOn(contexts, 'active').mockReturnValue(refused)
  expect(trace.getSpanContext(extracted({ traceparent }))).toBeUndefined()
  expect(trace.getSpanContext(extracted({ traceparent: traceparent.replaceAll('a', 'e') }))).toBeDefined()
  active.mockRestore()
})
