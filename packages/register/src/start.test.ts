import {
  type ContextManager,
  context,
  propagation,
  ROOT_CONTEXT,
  type TextMapPropagator,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import { getRuntime } from '@svc/core/registry'
import { afterEach, expect, it, vi } from 'vitest'
import { start } from './start.ts'

const failing = vi.hoisted(() => ({ part: '' }))

vi.mock('./request-channels.ts', () => ({
  listenToRequests: () => {
    if (failing.part === 'requests') throw new Error('no requests here')
  },
}))
afterEach(() => {
  trace.disable()
  context.disable()
  propagation.disable()
})

const contextManager: ContextManager = {
  active: () => ROOT_CONTEXT,
  with: (_, work, self, ...args) => work.call(self, ...args),
  bind: (_, target) => target,
  enable: () => contextManager,
  disable: () => contextManager,
}
const propagator: TextMapPropagator = { inject() {}, extract: (given) => given, fields: () => [] }

it('a start that fails half-way unregisters what it has registered, and reports the reason', () => {
  failing.part = 'requests'
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const keys: Record<string, string> = {
    SVC_PUBLIC_KEY: 'pk',
    SVC_SECRET_KEY: 'sk',
    SVC_BASE_URL: 'http://127.0.0.1:1',
  }
  expect(start({ instrument: false }, (name) => keys[name])).toBeUndefined()
  expect(error.mock.calls.join()).toMatch('svc cannot start, so nothing is traced: no requests here')
  expect(getRuntime()).toBeUndefined()
  const other = { getTracer: vi.fn() } as unknown as TracerProvider
  expect(trace.setGlobalTracerProvider(other)).toBe(true)
  expect(context.setGlobalContextManager(contextManager)).toBe(true)
  expect(propagation.setGlobalPropagator(propagator)).toBe(true)
})
