import { type Context, context, propagation, ROOT_CONTEXT } from '@opentelemetry/api'
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useTracing } from '../../test/support.ts'
import { propagateAttributes, startActiveObservation, startObservation, withoutSvcBaggage } from '../index.ts'

const { attributes, span } = useTracing()
beforeEach(() => {
  const propagators = [new W3CTraceContextPropagator(), new W3CBaggagePropagator()]
  propagation.setGlobalPropagator(new CompositePropagator({ propagators }))
})

const sent = () => {
  const headers: Record<string, string> = {}
  propagation.inject(context.active(), headers)
  return headers
}
const received = (headers: Record<string, string>) => propagation.extract(ROOT_CONTEXT, headers)
const there = (arrived: Context) => context.with(arrived, () => startObservation('there').end())

describe('propagation to another process', () => {
  const params = {
    userId: 'Jürgen, ünd',
    tags: ['a', 'b c'],
    metadata: { seats: 5, plan: 'pro', 'a key': { nested: true } },
    asBaggage: true,
  }

  it('includes the trace, and with asBaggage the typed values', () => {
    startActiveObservation('here', () => propagateAttributes(params, () => there(received(sent()))))
    expect(span('there').parentSpanContext?.spanId).toBe(span('here').spanContext().spanId)
    expect(attributes('there')).toEqual({
      'svc.observation.type': 'span',
      'user.id': 'Jürgen, ünd',
      'svc.trace.tags': ['a', 'b c'],
      'svc.trace.metadata.seats': '5',
      'svc.trace.metadata.plan': '"pro"',
      'svc.trace.metadata.a key': '{"nested":true}',
    })
  })

  it('includes no values by default', () => {
    startActiveObservation('here', () =>
      propagateAttributes({ ...params, asBaggage: false }, () => there(received(sent()))),
    )
    expect(attributes('there')).toEqual({ 'svc.observation.type': 'span' })
  })

  it('keeps the trace if the receiver does not trust baggage', () => {
    startActiveObservation('here', () => propagateAttributes(params, () => there(withoutSvcBaggage(received(sent())))))
    expect(span('there').spanContext().traceId).toBe(span('here').spanContext().traceId)
    // No header names an app root above, so it is one itself.
    expect(attributes('there')).toEqual({ 'svc.observation.type': 'span', 'svc.internal.is_app_root': true })
  })
})
