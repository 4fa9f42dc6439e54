import { trace } from '@opentelemetry/api'
import { TracerProvider } from '@opentelemetry/sdk-trace'
import { claimRuntime, releaseRuntime } from '@svc/core/registry'
import { NESTJS_TESTING } from '@svc/core/slots'
import { afterEach, expect, it } from 'vitest'
import { catchLog } from '../../test/log.ts'
import { SvcTestingModule } from './index.ts'

const logged = catchLog()
const API = Symbol.for('opentelemetry.js.api.1')
const slots = globalThis as unknown as Record<symbol, unknown>
afterEach(() => {
  releaseRuntime()
  trace.disable()
  for (const slot of [API, Symbol.for(NESTJS_TESTING)]) delete slots[slot]
})

it('the in-memory setup names the runtime that was started first', () => {
  claimRuntime({ owner: '@svc/register', attach: () => {}, forceFlush: async () => {}, shutdown: async () => {} })
  expect(() => SvcTestingModule.forRoot()).toThrow('because @svc/register was started first')
})

it('the in-memory setup names another provider that was registered first', () => {
  trace.setGlobalTracerProvider(new TracerProvider())
  expect(() => SvcTestingModule.forRoot()).toThrow('because another OpenTelemetry provider was started first')
})

it('the in-memory setup starts beside an older version of the API that something else has used', () => {
  slots[API] = { version: '1.9.0', propagation: {} }
  expect(() => SvcTestingModule.forRoot()).not.toThrow()
  expect(logged()).toEqual([])
})
