import { afterEach, expect, it, vi } from 'vitest'
import type { SvcHealth } from './health.ts'
import { claimRuntime, getRuntime, getSvcHealth, releaseRuntime } from './registry.ts'
import { VERSION } from './version.ts'

const runtime = (owner: string) => ({ owner, attach() {}, forceFlush: async () => {}, shutdown: async () => {} })

afterEach(releaseRuntime)

it('the registry has no runtime at first', () => {
  expect(getRuntime()).toBeUndefined()
})

it('the first runtime is registered, and the second one learns which that is', () => {
  const first = claimRuntime(runtime('@svc/register'))
  expect(first).toMatchObject({ owner: '@svc/register', version: VERSION })
  expect(claimRuntime(runtime('@svc/next'))).toBe(first)
  expect(getRuntime()).toBe(first)
})

it('a runtime can be registered after the first one is unregistered', () => {
  claimRuntime(runtime('first'))
  releaseRuntime()
  expect(claimRuntime(runtime('second')).owner).toBe('second')
})

it('another copy of the module has the same runtime', async () => {
  const first = claimRuntime(runtime('first'))
  vi.resetModules()
  const copy = await import('./registry.ts')
  expect(copy.getRuntime).not.toBe(getRuntime)
  expect(copy.getRuntime()).toBe(first)
})

it('the health is that of the runtime, or off if there is none or it sends nothing', () => {
  expect(getSvcHealth()).toMatchObject({ state: 'off', ended: 0, sent: 0, pending: 0, dropped: {} })
  claimRuntime(runtime('sends nothing'))
  expect(getSvcHealth().state).toBe('off')
  releaseRuntime()
  const health: SvcHealth = {
    state: 'paused',
    ended: 3,
    sent: 1,
    pending: 1,
    dropped: { queue_full: 1 },
    pendingBytes: 10,
    lastSuccess: 1,
    lastFailure: { at: 2, reason: 'away' },
  }
  claimRuntime({ ...runtime('sends'), health: () => health })
  expect(getSvcHealth()).toBe(health)
})
