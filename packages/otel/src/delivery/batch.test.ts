import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { describe, expect, it, vi } from 'vitest'
import { catchLog } from '../../test/support/console.ts'
import { Batches, type BatchOptions } from './batch.ts'

const log = catchLog()
const span = {} as ReadableSpan
const heavy = (length: number) => ({ attributes: { text: 'x'.repeat(length) } }) as unknown as ReadableSpan
const IN_AN_HOUR = 3_600_000

/** Batches that wait until they are let go. */
function batching(options: Partial<BatchOptions> = {}) {
  const sizes: number[] = []
  const open: (() => void)[] = []
  const send = (batch: ReadableSpan[]) => {
    sizes.push(batch.length)
    return new Promise<void>((resolve) => open.push(resolve))
  }
  const batches = new Batches(send, { size: 10, everyMs: IN_AN_HOUR, ...options })
  const deliver = (count: number) => {
    for (let at = 0; at < count; at++) batches.deliver(span)
  }
  const letGo = async () => {
    for (const resolve of open.splice(0)) resolve()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { batches, sizes, deliver, letGo }
}

describe('batches', () => {
  it('leave when they are full', () => {
    const { sizes, deliver } = batching()
    deliver(9)
    expect(sizes).toEqual([])
    deliver(11)
    expect(sizes).toEqual([10, 10])
  })

  it('leave half empty when a span has waited long enough', () => {
    vi.useFakeTimers()
    const { sizes, deliver } = batching({ everyMs: 5_000 })
    deliver(3)
    vi.advanceTimersByTime(4_999)
    expect(sizes).toEqual([])
    vi.advanceTimersByTime(1)
    expect(sizes).toEqual([3])
    deliver(1)
    vi.advanceTimersByTime(5_000)
    expect(sizes).toEqual([3, 1])
    vi.useRealTimers()
  })

  it('wait for a place when four are under way', async () => {
    const { sizes, deliver, letGo } = batching()
    deliver(65)
    expect(sizes).toEqual([10, 10, 10, 10])
    await letGo()
    expect(sizes).toEqual([10, 10, 10, 10, 10, 10])
  })

  it('are cut where they become heavy, and a span that is heavier travels alone', () => {
    const { batches, sizes } = batching({ size: 100, weight: 3_000 })
    for (const length of [700, 700, 700, 9_000, 10]) batches.deliver(heavy(length))
    expect(sizes).toEqual([3, 1])
  })

  it('that wait do not outgrow what may wait, however few their spans', async () => {
    const { batches, sizes, letGo } = batching({ size: 1, concurrency: 1, weightCapacity: 10_000 })
    for (let at = 0; at < 6; at++) batches.deliver(heavy(4_000))
    const flush = batches.flush()
    await letGo()
    await letGo()
    await letGo()
    await flush
    expect(sizes).toEqual([1, 1, 1])
    expect(log.lines('as many spans as may wait were waiting already. 3 spans are lost.')).toHaveLength(1)
  })

  it('a flush waits for the ones under way and for everything that waited', async () => {
    const { batches, sizes, deliver, letGo } = batching()
    deliver(45)
    let flushed = false
    const flush = batches.flush().then(() => {
      flushed = true
    })
    await letGo()
    expect(sizes).toEqual([10, 10, 10, 10, 5])
    expect(flushed).toBe(false)
    await letGo()
    await flush
  })

  it('a flush does not wait for what comes after it', async () => {
    const { batches, deliver, letGo } = batching()
    deliver(5)
    const flush = batches.flush()
    deliver(5)
    await letGo()
    await flush
  })

  it('a burst of 100,000 spans in one tick is kept, and what comes on top is counted and said once', async () => {
    const { batches, sizes, deliver, letGo } = batching({ size: 512 })
    deliver(100_000 + 4 * 512 + 7)
    expect(log.lines()).toEqual([])
    const flush = batches.flush()
    while (sizes.reduce((sum, size) => sum + size, 0) < 100_000 + 4 * 512) await letGo()
    await letGo()
    await flush
    expect(log.lines()).toEqual([
      expect.stringContaining('as many spans as may wait were waiting already. 7 spans are lost.'),
    ])
  })

  it('that go on overflowing are said once a minute, and the rest at the end', async () => {
    const { batches, deliver, letGo } = batching({ size: 1, concurrency: 1, capacity: 1 })
    for (let at = 0; at < 5; at++) {
      deliver(3)
      await letGo()
    }
    expect(log.lines('1 span is lost')).toHaveLength(1)
    const shutdown = batches.shutdown()
    await letGo()
    await letGo()
    await shutdown
    expect(log.lines('are lost')).toHaveLength(1)
  })

  it('are full at the latest when no more spans may wait', () => {
    const { sizes, deliver } = batching({ size: 1_000, capacity: 20 })
    deliver(25)
    expect(sizes).toEqual([20])
    expect(log.lines()).toEqual([])
  })

  it('a sender that rejects costs its batch and nothing else', async () => {
    const batches = new Batches(() => Promise.reject(new Error('broken')), { size: 1, everyMs: IN_AN_HOUR })
    batches.deliver(span)
    await batches.flush()
    batches.deliver(span)
    await batches.shutdown()
    expect(log.lines('1 span is lost')).toHaveLength(2)
  })

  it('an interval longer than a timer can be is not an interval of nothing', () => {
    vi.useFakeTimers()
    const { sizes, deliver } = batching({ everyMs: 1e12 })
    deliver(1)
    vi.advanceTimersByTime(1_000)
    expect(sizes).toEqual([])
    vi.useRealTimers()
  })
})
