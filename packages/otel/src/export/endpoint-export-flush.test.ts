import { NoResponseError } from '@svc/core/http-exchange'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { plainSpan } from '../../test/support/batches.ts'
import { exportTo } from '../../test/support/endpoint.ts'
import { responseOf, taken } from '../../test/support/responses.ts'

describe('a flush of the export', () => {
  afterEach(() => void vi.useRealTimers())

  it('does not wait for a backoff pause', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    let requests = 0
    const { queue, flush, flushes } = exportTo(async () => responseOf(++requests < 4 ? 503 : 200))
    queue.add(plainSpan('s'))
    // The next one would be a second later.
    await vi.advanceTimersByTimeAsync(5_000 + 250 + 500)
    expect(requests).toBe(3)
    flush()
    await vi.advanceTimersByTimeAsync(0)
    expect([requests, flushes(), queue.pending]).toEqual([4, 1, 0])
  })

  it('does not wait for a Retry-After beyond its deadline', async () => {
    const { queue, flush, flushes } = exportTo(async () => responseOf(503, '', { 'retry-after': '60' }))
    queue.add(plainSpan('s'))
    flush()
    await vi.advanceTimersByTimeAsync(0)
    expect([flushes(), queue.pending]).toEqual([1, 1])
  })

  it('waits for an unresponsive endpoint once, until it responds again', async () => {
    let requests = 0
    const { queue, flush, flushes } = exportTo(
      () =>
        new Promise((resolve, reject) => {
          const answer = () => (requests > 1 ? resolve(responseOf(200)) : reject(new NoResponseError(5_000)))
          requests++
          setTimeout(answer, 5_000)
        }),
    )
    queue.add(plainSpan('s'))
    flush()
    await vi.advanceTimersByTimeAsync(4_999)
    expect(flushes()).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(flushes()).toBe(1)
    flush()
    await vi.advanceTimersByTimeAsync(0)
    expect([flushes(), queue.pending]).toEqual([2, 1])
    await vi.advanceTimersByTimeAsync(10_000)
    expect([requests, queue.pending]).toEqual([2, 0])
  })

  it('continues while spans are delivered, up to its total limit', async () => {
    const { queue, flush, flushes } = exportTo(() => new Promise((resolve) => setTimeout(resolve, 4_000, taken)))
    for (let at = 0; at < 512 * 30; at++) queue.add(plainSpan('s'))
    flush()
    await vi.advanceTimersByTimeAsync(29_999)
    expect([flushes(), queue.pending]).toEqual([0, 2 * 512])
    await vi.advanceTimersByTimeAsync(1)
    expect(flushes()).toBe(1)
  })

  it('does not wait for spans that end after its start', async () => {
    let requests = 0
    const { queue, flush, flushes } = exportTo(async () => {
      requests++
      return requests === 1 ? taken : new Promise<never>(() => {})
    })
    queue.add(plainSpan('before'))
    flush()
    queue.add(plainSpan('after'))
    await vi.advanceTimersByTimeAsync(0)
    expect([flushes(), queue.pending]).toEqual([1, 1])
  })
})

it('a batch that is handed to the last hop is not also sent by the event loop', () => {
  let requests = 0
  const { queue } = exportTo(async () => {
    requests++
    return taken
  })
  queue.add(plainSpan('s'))
  queue.outbox()
  expect([requests, queue.pending]).toEqual([0, 1])
  vi.useRealTimers()
})

describe('the export in a worker thread', () => {
  afterEach(() => void vi.useRealTimers())

  it.each([
    [true, 5_000],
    [false, 400],
  ])(
    'delays spans by at most half a second, 100 ms of it before encoding: main thread %s, %d ms',
    (isMainThread, ms) => {
      let requests = 0
      const send = async () => {
        requests++
        return taken
      }
      exportTo(send, isMainThread).queue.add(plainSpan('s'))
      // A quarter of it is jitter.
      vi.advanceTimersByTime(ms * 0.75 - 1)
      expect(requests).toBe(0)
      vi.advanceTimersByTime(ms * 0.25 + 1)
      expect(requests).toBe(1)
    },
  )
})
