import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepAlive } from './keep-alive.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the process', () => {
  it('is kept alive while work is pending, and not longer', async () => {
    const done = keepAlive(Promise.resolve('result'), 100)
    expect(vi.getTimerCount()).toBe(1)
    expect(await done).toBe('result')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is not kept alive longer than the limit', () => {
    void keepAlive(new Promise(() => {}), 100)
    vi.advanceTimersByTime(99)
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is not kept alive by failed work, whose error reaches the caller', async () => {
    await expect(keepAlive(Promise.reject(new Error('no')), 100)).rejects.toThrow('no')
    expect(vi.getTimerCount()).toBe(0)
  })
})
