import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { API_SLOT } from '@svc/core/api-global'
import { log } from '@svc/core/log'
import { getRuntime, releaseRuntime } from '@svc/core/registry'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { arm } from './arm.ts'
import * as engine from './engine.ts'
import { stopAwaiting } from './first-use.ts'
import { preload as start } from './preload.ts'
import type { RequestFollower } from './request-channels.ts'
import { run } from './runtime.ts'

vi.mock('./runtime.ts', { spy: true })
vi.mock('./arm.ts', () => ({ arm: vi.fn(() => []) }))

const overflow = () => {
  throw new RangeError('Maximum call stack size exceeded')
}

const preload = () => start(() => engine)

const globals = globalThis as unknown as Record<symbol, unknown>

beforeEach(() => {
  // A variable that may mean anything: libraries are hooked at once. What waits is tested in processes.
  vi.stubEnv('SVC_UNKNOWN', '1')
  vi.stubEnv('SVC_PUBLIC_KEY', 'pk')
  vi.stubEnv('SVC_SECRET_KEY', 'sk')
  vi.stubEnv('SVC_BASE_URL', 'http://127.0.0.1:1')
  vi.mocked(run).mockReset()
  vi.mocked(arm).mockClear()
})
afterEach(async () => {
  await getRuntime()?.shutdown()
  stopAwaiting()
  releaseRuntime()
  delete globals[API_SLOT]
  delete globals[Symbol.for('svc.runtime.6')]
  vi.unstubAllEnvs()
})

it.each<[string, () => unknown]>([
  ["OpenTelemetry's API is used by a copy of it", () => trace.getTracerProvider()],
  ['the context is read', () => context.active()],
  ['something else is registered', () => Object.assign(globals[API_SLOT] as object, { metrics: {} })],
  ['the runtime is looked for', () => getRuntime()],
])('everything is registered when %s, and not before', (_, use) => {
  preload()
  expect(run).not.toHaveBeenCalled()
  expect(arm).toHaveBeenCalledOnce()
  use()
  expect(run).toHaveBeenCalledOnce()
  expect(globals[API_SLOT]).toMatchObject({ trace: {}, context: {}, propagation: {} })
  expect(getRuntime()?.owner).toBe('@svc/register')
  use()
  expect(run).toHaveBeenCalledOnce()
})

it('everything is registered with the first request, which is followed', () => {
  preload()
  const requests = vi.mocked(arm).mock.calls[0]?.[1] as () => RequestFollower | undefined
  expect(requests()).toMatchObject({ http1: expect.any(Function) })
  expect(run).toHaveBeenCalledOnce()
  expect(globals[API_SLOT]).toMatchObject({ trace: {}, context: {} })
})

it('a second copy of the package leaves everything to the first, without a warning', () => {
  const warn = vi.spyOn(log, 'warn')
  preload()
  preload()
  expect(arm).toHaveBeenCalledOnce()
  expect(run).toHaveBeenCalledOnce()
  expect(warn).not.toHaveBeenCalled()
})

it('another component in the API has everything registered at once', () => {
  globals[API_SLOT] = { version: '1.10.0', metrics: {} }
  preload()
  expect(run).toHaveBeenCalledOnce()
  expect(globals[API_SLOT]).toMatchObject({ metrics: {}, trace: {} })
})

it('a failed registration is tried again with a later use of the API, which works before it as well', () => {
  vi.useFakeTimers({ toFake: ['hrtime'] })
  onTestFinished(() => void vi.useRealTimers())
  vi.spyOn(console, 'info').mockReturnValue()
  const error = vi.spyOn(console, 'error').mockReturnValue()
  vi.mocked(run).mockImplementationOnce(() => {
    throw new Error('too many open files')
  })
  preload()
  expect(getRuntime()).toBeUndefined()
  expect(trace.getTracer('early').startSpan('s').isRecording()).toBe(false)
  expect(run).toHaveBeenCalledOnce()
  expect(error.mock.calls.join()).toMatch('svc cannot start, so nothing is traced: too many open files')
  vi.advanceTimersByTime(1_000)
  expect(getRuntime()?.owner).toBe('@svc/register')
  expect(run).toHaveBeenCalledTimes(2)
})

it('what others register while ours cannot be is kept', () => {
  vi.spyOn(console, 'error').mockReturnValue()
  vi.mocked(run).mockImplementationOnce(() => {
    throw new Error('too many open files')
  })
  preload()
  const theirs = { version: '1.10.0', trace: {} }
  globals[API_SLOT] = theirs
  expect(globals[API_SLOT]).toBe(theirs)
})

it('what a first use throws does not reach the application, and the next use registers everything', () => {
  vi.spyOn(log, 'error').mockImplementationOnce(overflow)
  vi.mocked(run).mockImplementationOnce(overflow)
  preload()
  expect(context.active()).toBe(ROOT_CONTEXT)
  expect(getRuntime()?.owner).toBe('@svc/register')
})

it('an attempt that fails after something was registered is followed by another with the next use of the API', () => {
  vi.spyOn(log, 'error').mockImplementationOnce(overflow)
  vi.mocked(run).mockImplementationOnce(() => {
    Object.assign(globals, { [API_SLOT]: { version: '1.10.0' } })
    return overflow()
  })
  preload()
  context.active()
  trace.getTracerProvider()
  expect(run).toHaveBeenCalledTimes(2)
  expect(globals[API_SLOT]).toMatchObject({ trace: {}, context: {} })
  expect(run).toHaveBeenCalledTimes(2)
})

it('everything is registered where the global object was frozen', () => {
  const define = Reflect.defineProperty
  preload()
  // What freezing does to an accessor. The real global object would stay so for other tests.
  const spy = vi
    .spyOn(Reflect, 'defineProperty')
    .mockImplementation((target, ...rest) => target !== globalThis && define(target, ...rest))
  const refused = vi.spyOn(Object, 'defineProperty').mockImplementation((target, key, descriptor) => {
    if (target === globalThis || !define(target as object, key, descriptor)) throw new TypeError('Cannot redefine')
    return target
  })
  onTestFinished(() => {
    spy.mockRestore()
    refused.mockRestore()
  })
  expect(getRuntime()?.owner).toBe('@svc/register')
  expect(globals[API_SLOT]).toMatchObject({ trace: {}, context: {} })
})

it('a preload that fails leaves nothing in the place of the API', () => {
  vi.mocked(arm).mockImplementationOnce(() => {
    throw new Error('no hook')
  })
  expect(preload).toThrow('no hook')
  expect(Object.hasOwn(globalThis, API_SLOT)).toBe(false)
})
