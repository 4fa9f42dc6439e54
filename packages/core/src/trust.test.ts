import { propagation, ROOT_CONTEXT } from '@opentelemetry/api'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { resetGlobalLogger } from './log.ts'
import {
  beliefOf,
  reportRefused,
  type Trust,
  trusts,
  withBelief,
  withoutSvcBaggage,
  withReceivedBaggage,
  withTrustedBaggage,
} from './trust.ts'

let warn: { mock: { calls: unknown[][] } }
beforeEach(() => {
  resetGlobalLogger()
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => vi.restoreAllMocks())

const LOOPBACK = ['127.0.0.0/8', '::1']
const baggage = propagation.createBaggage({ svc_user_id: { value: 'evil' }, tenant: { value: 't' } })
const RECEIVED = propagation.setBaggage(ROOT_CONTEXT, baggage)
const keysIn = (context = RECEIVED) =>
  propagation
    .getBaggage(context)
    ?.getAllEntries()
    .map(([key]) => key)

it.each<readonly [Trust, string | undefined, boolean]>([
  [undefined, '127.0.0.1', false],
  [false, '127.0.0.1', false],
  [true, undefined, true],
  [LOOPBACK, '127.0.0.1', true],
  [LOOPBACK, '192.0.2.1', false],
  [LOOPBACK, undefined, false],
  // From code that no compiler has read.
  ['loopback' as never, '127.0.0.1', false],
  ['true' as never, '127.0.0.1', false],
])('with trust %j the caller at %s is believed: %s', (trust, address, expected) => {
  expect(trusts(trust, address)).toBe(expected)
})

it('baggage of a caller counts by its address, or by what is known of its request', () => {
  expect(keysIn(withTrustedBaggage(RECEIVED, LOOPBACK, '::1'))).toEqual(['svc_user_id', 'tenant'])
  expect(keysIn(withTrustedBaggage(RECEIVED, LOOPBACK, '192.0.2.1'))).toEqual(['tenant'])
  const trust = { trustTraceparent: false, trustBaggage: LOOPBACK }
  const believed = withBelief(RECEIVED, beliefOf(trust, '::1'))
  expect(keysIn(withTrustedBaggage(believed, trust.trustBaggage))).toEqual(['svc_user_id', 'tenant'])
  expect(keysIn(withTrustedBaggage(believed, false))).toEqual(['tenant'])
})

it('what this process itself adds to the baggage of a request is not taken for that of its caller', () => {
  const request = withTrustedBaggage(ROOT_CONTEXT, undefined)
  const inner = propagation.setBaggage(request, propagation.createBaggage({ svc_user_id: { value: 'ada' } }))
  expect(keysIn(withTrustedBaggage(inner, undefined))).toEqual(['svc_user_id'])
  expect(warn.mock.calls).toEqual([])
  // As a message of a stranger would bring.
  expect(keysIn(withReceivedBaggage(inner, undefined))).toEqual([])
})

it('the first caller that is not believed is reported, with its address and the variables, and no other', () => {
  reportRefused(undefined, '192.0.2.1')
  reportRefused(LOOPBACK, '192.0.2.2')
  expect(warn.mock.calls.flat()).toEqual([
    expect.stringMatching(/a request from 192\.0\.2\.1 names .*SVC_TRUST_TRACEPARENT and SVC_TRUST_BAGGAGE/),
  ])
})

it('whoever has decided to trust nobody reads nothing about it', () => {
  reportRefused(false, '192.0.2.1')
  withTrustedBaggage(RECEIVED, false)
  expect(warn.mock.calls).toEqual([])
})

it('svc baggage is removed, and that of others kept', () => {
  expect(keysIn(withoutSvcBaggage(RECEIVED))).toEqual(['tenant'])
})

it('a context without svc baggage is returned unchanged', () => {
  const context = propagation.setBaggage(ROOT_CONTEXT, propagation.createBaggage({ tenant: { value: 't' } }))
  expect(withoutSvcBaggage(context)).toBe(context)
  expect(withoutSvcBaggage(ROOT_CONTEXT)).toBe(ROOT_CONTEXT)
})
