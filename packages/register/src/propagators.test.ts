import { defaultTextMapGetter, defaultTextMapSetter, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { resetGlobalLogger } from '@svc/core/log'
import { beliefOf, withBelief } from '@svc/core/trust'
import { describe, expect, it, vi } from 'vitest'
import type { PropagatorName } from './propagator-names.ts'
import { propagatorOf } from './propagators.ts'

const UNDECIDED = { trustTraceparent: undefined, trustBaggage: undefined }
const EVERYBODY = { trustTraceparent: true, trustBaggage: true }

it.each<[PropagatorName[], string[]]>([
  [
    ['tracecontext', 'baggage'],
    ['traceparent', 'tracestate', 'baggage'],
  ],
  [['b3'], ['b3']],
  [[], []],
])('the propagators %j read the headers %j', (names, fields) => {
  expect(propagatorOf(names, EVERYBODY).fields()).toEqual(fields)
})

describe('baggage that is not trusted', () => {
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  const headers = { traceparent, baggage: 'svc_user_id=theirs,tenant=t' }
  const names: PropagatorName[] = ['tracecontext', 'baggage']

  it('is not extracted, unlike the trace and other baggage', () => {
    const context = propagatorOf(names, { ...EVERYBODY, trustBaggage: false }).extract(
      ROOT_CONTEXT,
      headers,
      defaultTextMapGetter,
    )
    expect(propagation.getBaggage(context)?.getAllEntries()).toEqual([['tenant', { value: 't' }]])
    expect(trace.getSpanContext(context)?.traceId).toBe('a'.repeat(32))
  })

  it('of this process is still injected', () => {
    const baggage = propagation.createBaggage({ svc_user_id: { value: 'ours' } })
    const carrier: Record<string, string> = {}
    const propagator = propagatorOf(names, { ...EVERYBODY, trustBaggage: false })
    propagator.inject(propagation.setBaggage(ROOT_CONTEXT, baggage), carrier, defaultTextMapSetter)
    expect(carrier).toEqual({ baggage: 'svc_user_id=ours' })
    expect(propagator.fields()).toEqual(['traceparent', 'tracestate', 'baggage'])
  })

  it('is extracted if everybody is trusted', () => {
    const context = propagatorOf(names, EVERYBODY).extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
    expect(propagation.getBaggage(context)?.getAllEntries()).toHaveLength(2)
  })
})

it.each([
  ['comes when a request of HTTP/1.1 begins', 'host', withBelief(ROOT_CONTEXT, beliefOf(UNDECIDED, '10.0.0.1')), 1],
  ['does not come later, when the headers may name what Next has written there', 'host', ROOT_CONTEXT, 0],
  ['comes later for HTTP/2, whose beginning not every Node tells', ':authority', ROOT_CONTEXT, 1],
])('the line about a caller that is refused %s', (_, name, context, lines) => {
  resetGlobalLogger()
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const carrier = { [name]: 'a.example', traceparent: `00-${'c'.repeat(32)}-${'d'.repeat(16)}-01` }
  const extracted = propagatorOf(['tracecontext'], UNDECIDED).extract(context, carrier, defaultTextMapGetter)
  expect([trace.getSpanContext(extracted), warn.mock.calls.length]).toEqual([undefined, lines])
  warn.mockRestore()
})
