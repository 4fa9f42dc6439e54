import { resetGlobalLogger } from '@svc/core/log'
import { OPEN_CALLS } from '@svc/core/slots'
import { afterAll } from 'vitest'

// Files share a process. What one of them started and left, such as the line about losses a minute later, must not come
// in the time of another: its timers end with it. So do its calls without an end, and the level of its log.
const { setTimeout } = globalThis
const timers: ReturnType<typeof setTimeout>[] = []

const remembering = (...args: Parameters<typeof setTimeout>) => {
  const timer = setTimeout(...args)
  timers.push(timer)
  return timer
}
globalThis.setTimeout = Object.assign(remembering, setTimeout)

afterAll(() => {
  globalThis.setTimeout = setTimeout
  for (const timer of timers) clearTimeout(timer)
  Reflect.deleteProperty(globalThis, Symbol.for(OPEN_CALLS))
  resetGlobalLogger()
})
