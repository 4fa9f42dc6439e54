import { context, diag, metrics, propagation, trace } from '@opentelemetry/api'
import { API_SLOT } from '@svc/core/api-global'
import { resetGlobalLogger } from '@svc/core/log'
import { OPEN_CALLS } from '@svc/core/slots'
import { afterAll, vi } from 'vitest'

// Files share a process. What one of them started and left, such as the line about losses a minute later, must not come
// in the time of another: its timers end with it. So do its calls without an end, the level of its log, what it has put in
// the place of functions, and what it has registered with the API of OpenTelemetry: an active context would be the parent
// of spans of another.
const { setTimeout } = globalThis
const timers: ReturnType<typeof setTimeout>[] = []

const remembering = (...args: Parameters<typeof setTimeout>) => {
  const timer = setTimeout(...args)
  timers.push(timer)
  return timer
}
globalThis.setTimeout = Object.assign(remembering, setTimeout)

afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  for (const api of [trace, context, propagation, metrics, diag]) api.disable()
  for (const slot of [API_SLOT, Symbol.for(OPEN_CALLS)]) Reflect.deleteProperty(globalThis, slot)
  globalThis.setTimeout = setTimeout
  for (const timer of timers) clearTimeout(timer)
  resetGlobalLogger()
})
