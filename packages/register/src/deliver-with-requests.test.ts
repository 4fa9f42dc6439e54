import { AsyncLocalStorage } from 'node:async_hooks'
import { afterEach, expect, it, vi } from 'vitest'
import { deliverWithRequests } from './deliver-with-requests.ts'
import { started, watchers } from './watchers.ts'

const waitUntil = vi.fn()
const startSpan = () => started({ spanContext: () => ({ traceId: 't', spanId: 's', traceFlags: 1 }) } as never)

afterEach(() => {
  watchers.clear()
  waitUntil.mockClear()
  for (const key of ['Netlify', Symbol.for('@vercel/request-context'), 'AsyncLocalStorage'])
    Reflect.deleteProperty(globalThis, key)
})

it('on Vercel the platform is told to wait by the first span of a request', () => {
  Reflect.set(globalThis, Symbol.for('@vercel/request-context'), { get: () => ({ waitUntil }) })
  const end = deliverWithRequests()
  startSpan()
  expect(waitUntil).toHaveBeenCalledExactlyOnceWith(expect.any(Promise))
  end?.()
  expect(watchers.size).toBe(0)
})

it('on Netlify it is told by the context of the request, where there is one', () => {
  Reflect.set(globalThis, 'Netlify', { context: null })
  deliverWithRequests()
  startSpan()
  expect(waitUntil).not.toHaveBeenCalled()
  Reflect.set(globalThis, 'Netlify', { context: { waitUntil } })
  startSpan()
  expect(waitUntil).toHaveBeenCalledOnce()
})

it('in Next it is left to @svc/next, and elsewhere nothing watches', () => {
  expect(deliverWithRequests()).toBeUndefined()
  Reflect.set(globalThis, 'AsyncLocalStorage', AsyncLocalStorage)
  Reflect.set(globalThis, Symbol.for('@vercel/request-context'), { get: () => ({ waitUntil }) })
  deliverWithRequests()
  startSpan()
  expect(waitUntil).not.toHaveBeenCalled()
})
