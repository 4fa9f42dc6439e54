import { beforeEach, expect, it, vi } from 'vitest'
import { capturesContent, flushesEachRequest, isBuilding, setHost, trustsBaggage, trustsTraceparent } from './host.ts'

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
])('with %j each request is delivered by itself: %s', (variables, expected) => {
  given(variables)
  expect(flushesEachRequest()).toBe(expected)
})

it('what registerSvc says about delivery wins', () => {
  given({ VERCEL: '1' })
  setHost({ flush: 'never' })
  expect(flushesEachRequest()).toBe(false)
  setHost({ flush: 'always' })
  expect(flushesEachRequest()).toBe(true)
})

it.each([
  [{}, {}, false],
  [{ SVC_TRUST_BAGGAGE: 'true' }, {}, true],
  [{ SVC_TRUST_BAGGAGE: 'true' }, { trustBaggage: false }, false],
  [{}, { trustBaggage: true }, true],
])('with %j and %j baggage of requests counts: %s', (variables, options, expected) => {
  given(variables)
  setHost(options)
  expect(trustsBaggage()).toBe(expected)
})

it.each([
  [{}, {}, false],
  [{ SVC_TRUST_TRACEPARENT: 'true' }, {}, true],
  [{ SVC_TRUST_TRACEPARENT: 'true' }, { trustTraceparent: false }, false],
  [{}, { trustTraceparent: true }, true],
])('with %j and %j traces of callers are continued: %s', (variables, options, expected) => {
  given(variables)
  setHost(options)
  expect(trustsTraceparent()).toBe(expected)
})

it('content is recorded unless the switch for it says no', () => {
  expect(capturesContent()).toBe(true)
  Reflect.deleteProperty(globalThis, Symbol.for('svc.next.6'))
  given({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'NO_CONTENT' })
  expect(capturesContent()).toBe(false)
})

it('a build of Next is one by its phase', () => {
  expect(isBuilding()).toBe(false)
  Reflect.deleteProperty(globalThis, Symbol.for('svc.next.6'))
  given({ NEXT_PHASE: 'phase-production-build' })
  expect(isBuilding()).toBe(true)
})
