import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { limited } from './limited.ts'

const never = () => new Promise<never>(() => {})
const none = { seconds: undefined, signal: undefined }

describe('work with a time limit', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('resolves with its result', async () => {
    expect(await limited('the task', none, async () => 'done')).toBe('done')
    expect(await limited('the task', none, () => 'at once')).toBe('at once')
  })

  it('that never settles is given up at its limit, and its signal is aborted', async () => {
    let received: AbortSignal | undefined
    const work = limited('the task', { ...none, seconds: 2 }, ({ abortSignal }) => {
      received = abortSignal
      return never()
    })
    const expected = expect(work).rejects.toThrow('the task took longer than 2 s (timeoutInSeconds)')
    await vi.advanceTimersByTimeAsync(1_999)
    expect(received?.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await expected
    expect(received?.aborted).toBe(true)
  })

  it('may have a limit beyond 2^31-1 ms', async () => {
    vi.useRealTimers()
    const work = new Promise((resolve) => setImmediate(() => setTimeout(resolve, 5, 'done')))
    expect(await limited('the task', { ...none, seconds: 1e9 }, () => work)).toBe('done')
  })

  it('that fails after its limit causes no unhandled rejection', async () => {
    const late = new Promise<never>((_, reject) => void setTimeout(() => reject(new Error('too late')), 5_000))
    const expected = expect(limited('the task', { ...none, seconds: 1 }, () => late)).rejects.toThrow('longer than 1 s')
    await vi.advanceTimersByTimeAsync(6_000)
    await expected
  })

  it('leaves no timer and no listener behind', async () => {
    const { signal } = new AbortController()
    const removed = vi.spyOn(signal, 'removeEventListener')
    await limited('the task', { seconds: 10, signal }, async () => 'done')
    await expect(limited('x', { seconds: 10, signal }, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await expect(
      limited('x', { seconds: 10, signal }, () => {
        throw new Error('at once')
      }),
    ).rejects.toThrow('at once')
    expect(vi.getTimerCount()).toBe(0)
    expect(removed).toHaveBeenCalledTimes(3)
  })

  it('is aborted with the reason of the signal', async () => {
    const controller = new AbortController()
    const work = limited('the task', { seconds: 10, signal: controller.signal }, never)
    controller.abort(new Error('enough'))
    await expect(work).rejects.toThrow('enough')
    await expect(limited('the task', { seconds: 10, signal: controller.signal }, never)).rejects.toThrow('enough')
  })
})
