import { context, TraceFlags, trace } from '@opentelemetry/api'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { useTracing } from '../test/support.ts'
import { createTraceId, getActiveSpanId, getActiveTraceId, startActiveObservation } from './index.ts'

const { lines } = useTracing()
afterEach(() => void vi.unstubAllGlobals())

describe('createTraceId', () => {
  it('with a seed is the beginning of its SHA-256', async () => {
    expect(await createTraceId('order-1')).toBe('0bafe22156d2698c143b86040446d366')
    expect(await createTraceId('ü')).toBe(await createTraceId('ü'))
  })

  it('without a seed, or with an empty one, is random', async () => {
    const ids = await Promise.all([createTraceId(), createTraceId(''), createTraceId(null as never)])
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/)
  })

  it('converts a seed that is not a string', async () => {
    expect(await createTraceId(7 as never)).toBe(await createTraceId('7'))
  })

  it('is random, with a warning, if hashing is unavailable', async () => {
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
    expect(await createTraceId('order-1')).toMatch(/^[0-9a-f]{32}$/)
    expect(lines('createTraceId returns a random id')).toHaveLength(1)
  })
})

describe('the active ids', () => {
  it('are those of the active observation', () => {
    startActiveObservation('work', ({ id, traceId }) => {
      expect([getActiveSpanId(), getActiveTraceId()]).toEqual([id, traceId])
    })
  })

  it('are undefined if nothing is active or traced', () => {
    expect([getActiveSpanId(), getActiveTraceId()]).toEqual([undefined, undefined])
    trace.disable()
    startActiveObservation('work', () =>
      expect([getActiveSpanId(), getActiveTraceId()]).toEqual([undefined, undefined]),
    )
  })

  it('include the trace id of a request that is not recorded', () => {
    const request = { traceId: 'a'.repeat(32), spanId: '0'.repeat(16), traceFlags: TraceFlags.NONE }
    context.with(trace.setSpanContext(context.active(), request), () => {
      expect([getActiveSpanId(), getActiveTraceId()]).toEqual([undefined, 'a'.repeat(32)])
    })
  })
})
