import { RequestForm } from '@svc/core/delivery/request-form'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { encoded, names, namesIn } from '../../test/support/batches.ts'
import { batching, noise } from '../../test/support/batching.ts'

describe('a batch is sealed', () => {
  it('when it has the configured number of spans', () => {
    const { add, counts, batcher } = batching({ size: 10 })
    add(...names(9))
    expect([counts(), batcher.items]).toEqual([[], 9])
    add(...names(11))
    expect([counts(), batcher.items]).toEqual([[10, 10], 0])
  })

  it('when it has as many bytes as a request may have', () => {
    const form = new RequestForm(false)
    form.maxRawSize = 2 * encoded(noise(2_000)).length
    const { addSpan, counts } = batching({ form })
    for (let at = 0; at < 2; at++) addSpan(noise(2_000))
    expect(counts()).toEqual([2])
  })

  it('before a span that does not fit', () => {
    const form = new RequestForm(false)
    form.maxRawSize = 10_000
    const { addSpan, counts, batcher } = batching({ form })
    for (let at = 0; at < 5; at++) addSpan(noise(3_500))
    expect([counts(), batcher.items]).toEqual([[2, 2], 1])
  })

  it('as soon as a smaller limit is learned', () => {
    const { addSpan, counts, form } = batching()
    addSpan(noise(30_000))
    form.tooLarge(40_000)
    addSpan(noise(1_000))
    expect(counts()).toEqual([1])
  })

  it('with one span alone that is larger than a batch', () => {
    const form = new RequestForm(false)
    form.maxRawSize = 10_000
    const { addSpan, add, counts, sealed } = batching({ form })
    add('before')
    addSpan(noise(50_000, 'huge'))
    add('after')
    expect(counts()).toEqual([1, 1])
    expect(sealed.map(({ body }) => namesIn(body))).toEqual([['before'], ['huge']])
  })

  it('on request, unless it is empty', async () => {
    const { add, counts, batcher } = batching()
    await batcher.seal()
    batcher.sealNow()
    expect(counts()).toEqual([])
    add('a', 'b')
    await batcher.seal()
    expect(counts()).toEqual([2])
  })

  it('with all of its spans, the time of sealing and its size', async () => {
    const { add, sealed, batcher, clock } = batching()
    clock.pass(77)
    add('a', 'b')
    await batcher.seal()
    const [batch] = sealed
    expect(batch).toMatchObject({ items: 2, isCompressed: false, rawSize: batch?.body.length, sealedAt: 77 })
    expect(namesIn(batch?.body ?? new Uint8Array())).toEqual(['a', 'b'])
  })

  it('with a buffer of its own', async () => {
    const { add, sealed, batcher } = batching()
    add('a')
    await batcher.seal()
    const before = sealed[0]?.body.slice()
    add(...names(100))
    await batcher.seal()
    expect(sealed[0]?.body).toEqual(before)
    expect(sealed[0]?.body.buffer.byteLength).toBe(before?.length)
  })
})

describe('the batch timer', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it.each([
    [0, 5_000],
    [0.5, 4_375],
    [1, 3_750],
  ])('seals a batch after the interval, never later, and up to a quarter earlier: random %d', (random, ms) => {
    const { add, counts } = batching({ everyMs: 5_000 }, random)
    add('a', 'b', 'c')
    vi.advanceTimersByTime(ms - 1)
    expect(counts()).toEqual([])
    vi.advanceTimersByTime(1)
    expect(counts()).toEqual([3])
    add('d')
    vi.advanceTimersByTime(ms)
    expect(counts()).toEqual([3, 1])
  })

  it('counts from the first span, not from the last', () => {
    const { add, counts } = batching({ everyMs: 5_000 })
    add('a')
    vi.advanceTimersByTime(4_000)
    add('b')
    vi.advanceTimersByTime(1_000)
    expect(counts()).toEqual([2])
  })

  it('counts from the first span of the next batch after a full one', () => {
    const { add, counts } = batching({ everyMs: 5_000, size: 2 })
    add('a')
    vi.advanceTimersByTime(4_000)
    add('b')
    vi.advanceTimersByTime(500)
    add('c')
    vi.advanceTimersByTime(4_999)
    expect(counts()).toEqual([2])
    vi.advanceTimersByTime(1)
    expect(counts()).toEqual([2, 1])
  })

  it('is not set while the batch is empty', async () => {
    const { add, batcher } = batching({ size: 2 })
    expect(vi.getTimerCount()).toBe(0)
    add('a')
    expect(vi.getTimerCount()).toBe(1)
    add('b')
    expect(vi.getTimerCount()).toBe(0)
    for (const end of [() => batcher.seal(), () => batcher.sealNow()]) {
      add('c')
      await end()
      expect(vi.getTimerCount()).toBe(0)
    }
  })

  it('is set again for spans that end after everything was sealed', () => {
    const { add, batcher, counts } = batching({ everyMs: 5_000 })
    add('a')
    batcher.sealNow()
    const before = counts().length
    add('b')
    vi.advanceTimersByTime(5_000)
    expect(counts()).toHaveLength(before + 1)
  })

  it('does not fire at once for an interval beyond 2^31-1 ms', () => {
    const { add, counts } = batching({ everyMs: 1e12 })
    add('a')
    vi.advanceTimersByTime(1_000)
    expect(counts()).toEqual([])
  })

  it('keeps no process alive', () => {
    vi.useRealTimers()
    const started = vi.spyOn(globalThis, 'setTimeout')
    const { add, batcher } = batching()
    add('a')
    expect(started.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toEqual([false])
    batcher.sealNow()
    started.mockRestore()
  })
})

describe('a flush of the batcher', () => {
  it('covers batches that were sealed before it, and no later ones', async () => {
    const { add, sealed, batcher } = batching({ size: 2 })
    add('a', 'b', 'c')
    const epoch = await batcher.seal()
    add('d', 'e')
    const next = await batcher.seal()
    expect(next).toBeGreaterThan(epoch)
    expect(sealed.map((batch) => batch.epoch <= epoch)).toEqual([true, true, false])
    expect(sealed.every((batch) => batch.epoch <= next)).toBe(true)
  })
})
