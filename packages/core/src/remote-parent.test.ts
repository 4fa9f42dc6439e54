import { defaultTextMapGetter, ROOT_CONTEXT, type TextMapPropagator, trace } from '@opentelemetry/api'
import { expect, it } from 'vitest'
import { hasHost, linkedToRefused, refusingParents, withoutRemoteParent } from './remote-parent.ts'

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
const refusing = refusingParents(inner, () => false, hasHost)
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
  const refused = withoutRemoteParent(extracted({ traceparent }))
  expect(trace.getSpanContext(refused)).toBeUndefined()
  expect(trace.getSpanContext(extracted({ traceparent }, refused))).toBeUndefined()
})

it('the context is unchanged if callers are trusted or nothing arrives', () => {
  const trusting = refusingParents(inner, () => true, hasHost)
  expect(trace.getSpanContext(extracted({ host: 'h', traceparent }, ROOT_CONTEXT, trusting))).toMatchObject(caller)
  expect(extracted({ host: 'h' })).toBe(ROOT_CONTEXT)
  expect(withoutRemoteParent(ROOT_CONTEXT)).toBe(ROOT_CONTEXT)
  expect(linkedToRefused(undefined, ROOT_CONTEXT)).toBeUndefined()
})
