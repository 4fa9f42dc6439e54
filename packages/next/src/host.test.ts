import { beforeEach, expect, it, vi } from 'vitest'
import { callerTrust, capturesContent, flushesEachRequest, isBuilding, setHost } from './host.ts'

beforeEach(() => {
  // As in a process of its own.
  Reflect.deleteProperty(globalThis, Symbol.for('svc.next.6'))
  return () => vi.unstubAllEnvs()
})

const given = (variables: Record<string, string>) => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
}

it.each([
  [{}, false],
  [{ VERCEL: '1' }, true],
  [{ AWS_LAMBDA_FUNCTION_NAME: 'shop' }, true],
  [{ NEXT_RUNTIME: 'edge' }, true],
  [{ NEXT_RUNTIME: 'nodejs' }, false],
])('with the environment %j spans are delivered with each request: %s', (variables, expected) => {
  given(variables)
  expect(flushesEachRequest()).toBe(expected)
})

it('the delivery option of registerSvc wins over the environment', () => {
  given({ VERCEL: '1' })
  setHost({ flush: 'never' })
  expect(flushesEachRequest()).toBe(false)
  setHost({ flush: 'always' })
  expect(flushesEachRequest()).toBe(true)
})

it.each([
  [{}, {}, undefined],
  [{ SVC_TRUST_BAGGAGE: 'true' }, {}, true],
  [{ SVC_TRUST_BAGGAGE: 'true' }, { trustBaggage: false }, false],
  [{}, { trustBaggage: true }, true],
  [{ SVC_TRUST_BAGGAGE: 'loopback' }, {}, ['127.0.0.0/8', '::1']],
])('with %j and %j baggage of requests is trusted: %s', (variables, options, expected) => {
  given(variables)
  setHost(options)
  expect(callerTrust().trustBaggage).toEqual(expected)
})

it.each([
  [{}, {}, undefined],
  [{ SVC_TRUST_TRACEPARENT: 'true' }, {}, true],
  [{ SVC_TRUST_TRACEPARENT: 'true' }, { trustTraceparent: false }, false],
  [{}, { trustTraceparent: true }, true],
  [{}, { trustTraceparent: ['nowhere'] as unknown as boolean }, false],
])('with %j and %j traces of callers are continued: %s', (variables, options, expected) => {
  given(variables)
  setHost(options)
  expect(callerTrust().trustTraceparent).toEqual(expected)
})

it('content is recorded unless it is switched off', () => {
  expect(capturesContent()).toBe(true)
  Reflect.deleteProperty(globalThis, Symbol.for('svc.next.6'))
  given({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'NO_CONTENT' })
  expect(capturesContent()).toBe(false)
})

it('a Next build is detected by its phase', () => {
  expect(isBuilding()).toBe(false)
  Reflect.deleteProperty(globalThis, Symbol.for('svc.next.6'))
  given({ NEXT_PHASE: 'phase-production-build' })
  expect(isBuilding()).toBe(true)
})
