import type { DeliveryHealth } from '@svc/core/delivery-health'
import { claimRuntime, releaseRuntime } from '@svc/core/registry'
import { afterEach, describe, expect, it } from 'vitest'
import { SvcHealthIndicator } from './index.ts'

afterEach(releaseRuntime)

const NOON = Date.UTC(2026, 0, 1, 12)

function healthWith(delivery: DeliveryHealth | undefined) {
  claimRuntime({
    owner: 'test',
    attach() {},
    health: () => delivery,
    forceFlush: async () => {},
    shutdown: async () => {},
  })
  return new SvcHealthIndicator().isHealthy()
}

describe('health', () => {
  it('is off where nothing is sent', () => {
    expect(new SvcHealthIndicator().isHealthy('traces')).toEqual({ traces: { status: 'up', state: 'off', queued: 0 } })
    expect(healthWith(undefined)).toEqual({ svc: { status: 'up', state: 'off', queued: 0 } })
  })

  it('is ok before anything was sent, and when what was sent last arrived', () => {
    expect(healthWith({ queued: 3, lastSuccess: undefined, lastFailure: undefined })).toEqual({
      svc: { status: 'up', state: 'ok', queued: 3 },
    })
    releaseRuntime()
    const failure = { at: NOON - 1_000, reason: 'too slow' }
    expect(healthWith({ queued: 0, lastSuccess: NOON, lastFailure: failure }).svc).toMatchObject({
      status: 'up',
      state: 'ok',
      lastSuccess: '2026-01-01T12:00:00.000Z',
    })
  })

  it('is degraded, and never down, when what was sent last did not arrive', () => {
    const lastFailure = { at: NOON, reason: 'svc.example.com refuses the keys' }
    expect(healthWith({ queued: 7, lastSuccess: NOON - 1, lastFailure })).toEqual({
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
})
