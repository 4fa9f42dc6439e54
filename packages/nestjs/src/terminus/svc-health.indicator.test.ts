import type { SvcHealth as ExportHealth } from '@svc/core/health'
import { claimRuntime, releaseRuntime } from '@svc/core/registry'
import { afterEach, describe, expect, it } from 'vitest'
import { SvcHealthIndicator } from './index.ts'

afterEach(releaseRuntime)

const NOON = Date.UTC(2026, 0, 1, 12)

function healthWith(delivery: Partial<ExportHealth> | undefined) {
  const empty = { state: 'ok', ended: 0, sent: 0, pending: 0, dropped: {}, pendingBytes: 0 } as const
  claimRuntime({
    owner: 'test',
    attach() {},
    health: () => delivery && { ...empty, lastSuccess: undefined, lastFailure: undefined, ...delivery },
    forceFlush: async () => {},
    shutdown: async () => {},
  })
  return new SvcHealthIndicator().isHealthy()
}

describe('the health indicator', () => {
  it('is off if nothing is sent', () => {
    expect(new SvcHealthIndicator().isHealthy('traces')).toEqual({ traces: { status: 'up', state: 'off', queued: 0 } })
    expect(healthWith(undefined)).toEqual({ svc: { status: 'up', state: 'off', queued: 0 } })
    releaseRuntime()
    expect(healthWith({ state: 'off' })).toEqual({ svc: { status: 'up', state: 'off', queued: 0 } })
  })

  it('is ok before the first export, and if the last one succeeded', () => {
    expect(healthWith({ pending: 3 })).toEqual({ svc: { status: 'up', state: 'ok', queued: 3 } })
    releaseRuntime()
    const lastFailure = { at: NOON - 1_000, reason: 'too slow' }
    expect(healthWith({ lastSuccess: NOON, lastFailure }).svc).toMatchObject({
      status: 'up',
      state: 'ok',
      lastSuccess: '2026-01-01T12:00:00.000Z',
    })
  })

  it('is degraded, and never down, if the last export failed', () => {
    const lastFailure = { at: NOON, reason: 'svc.example.com refuses the keys' }
    expect(healthWith({ state: 'refused', pending: 7, lastSuccess: NOON - 1, lastFailure })).toEqual({
      svc: {
        status: 'up',
        state: 'degraded',
        queued: 7,
        lastSuccess: '2026-01-01T11:59:59.999Z',
        lastFailure: '2026-01-01T12:00:00.000Z',
        reason: 'svc.example.com refuses the keys',
      },
    })
  })

  it('is degraded if an export failed in the same millisecond as another one succeeded', () => {
    const lastFailure = { at: NOON, reason: 'too slow' }
    expect(healthWith({ lastSuccess: NOON, lastFailure }).svc).toMatchObject({ state: 'degraded' })
  })

  it('counts dropped spans of all reasons', () => {
    expect(healthWith({ dropped: { queue_full: 2, shutdown: 3 } }).svc).toMatchObject({ status: 'up', dropped: 5 })
  })
})
