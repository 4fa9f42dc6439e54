import { randomBytes } from 'node:crypto'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { ByteBudget } from '@svc/core/delivery/byte-budget'
import { RequestForm } from '@svc/core/delivery/request-form'
import type { SealedBatch } from '@svc/core/delivery/sealed-batch'
import type { WriteAhead } from '@svc/core/delivery/spool/write-ahead'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { encoded, names, namesIn, plainSpan } from '../../test/support/batches.ts'
import { fakeClock } from '../../test/support/clock.ts'
import { spansIn } from '../../test/support/protobuf.ts'
import { Batcher, type BatcherParts } from './batcher.ts'

const { resource } = plainSpan('')

/** A batcher that seals only when a test says so, and all that it sealed. */
function batching(overrides: Partial<BatcherParts> = {}, random = 0) {
  const clock = fakeClock(random)
  const budget = overrides.budget ?? new ByteBudget(64 * 1_048_576)
  const form = overrides.form ?? new RequestForm(true)
  const sealed: SealedBatch[] = []
  const batcher = new Batcher({
    size: 1_000,
    everyMs: 3_600_000,
    resourceMs: 5_000,
    compression: 'none',
    form,
    budget,
    clock,
    onSealed: (batch) => void sealed.push(batch),
    ...overrides,
  })
  const addSpan = (span: ReadableSpan) => {
    const bytes = encoded(span)
    batcher.add(span, bytes)
    return bytes.length
  }
  const add = (...spans: readonly string[]) => {
    for (const name of spans) addSpan(plainSpan(name, { resource }))
  }
  return { clock, budget, form, sealed, batcher, addSpan, add, counts: () => sealed.map(({ items }) => items) }
}

/** A span of about so many bytes, which nothing makes smaller. */
const noise = (bytes: number, name = 'noise') =>
  plainSpan(name, { resource, attributes: { bytes: randomBytes(bytes) as unknown as string } })

/** Resource attributes that are found out when a test says so. */
function lateResource() {
  const attributes: Record<string, string> = { 'service.name': 'late' }
  let settle = () => {}
  const waiting = new Promise<void>((resolve) => {
    settle = resolve
  })
  const late = { attributes, asyncAttributesPending: true, waitForAsyncAttributes: () => waiting }
  const learn = async () => {
    attributes['host.name'] = 'h1'
    late.asyncAttributesPending = false
    settle()
    await turn()
  }
  return { late: late as unknown as ReadableSpan['resource'], learn }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

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

describe('compression of a batch', () => {
  it('runs in another thread, and the spans stay counted', async () => {
    const { add, sealed, counts, batcher } = batching({ compression: 'zlib', size: 50 })
    add(...names(50))
    expect([counts(), batcher.items]).toEqual([[], 50])
    await batcher.seal()
    expect([counts(), batcher.items]).toEqual([[50], 0])
    const [batch] = sealed
    expect(batch).toMatchObject({ isCompressed: true, items: 50 })
    expect(batch?.body.length).toBeLessThan((batch?.rawSize ?? 0) / 2)
    expect(namesIn(batch?.body ?? new Uint8Array())).toEqual(names(50))
  })

  it('uses CompressionStream if there is no zlib', async () => {
    const { add, sealed, batcher } = batching({ compression: 'stream' })
    add('a')
    await batcher.seal()
    expect(sealed).toMatchObject([{ isCompressed: true }])
    expect(namesIn(sealed[0]?.body ?? new Uint8Array())).toEqual(['a'])
  })

  it('is synchronous if more than a quarter of the budget waits for it', () => {
    const { addSpan, counts, sealed, batcher } = batching({
      compression: 'zlib',
      size: 1,
      budget: new ByteBudget(40_000),
    })
    addSpan(noise(6_000))
    expect([counts(), batcher.items]).toEqual([[], 1])
    addSpan(noise(6_000))
    expect([counts(), batcher.items]).toEqual([[1], 1])
    expect(sealed).toMatchObject([{ isCompressed: true }])
  })

  it('runs in another thread again when nothing waits for it', async () => {
    const { addSpan, counts, batcher } = batching({ compression: 'zlib', size: 1, budget: new ByteBudget(40_000) })
    for (let at = 0; at < 4; at++) {
      addSpan(noise(6_000))
      expect(counts()).toHaveLength(at)
      await batcher.seal()
    }
  })

  it('of a burst in one tick keeps up with it', () => {
    const limit = 4_000_000
    const { addSpan, budget, batcher, counts } = batching({
      compression: 'zlib',
      size: 512,
      budget: new ByteBudget(limit),
    })
    let most = 0
    for (let at = 0; at < 20_000; at++) {
      addSpan(plainSpan(`s${at}`, { resource, attributes: { text: 'the same again and again '.repeat(20) } }))
      most = Math.max(most, budget.used)
    }
    batcher.sealNow()
    expect(most).toBeLessThan(limit / 4 + 1_000_000)
    expect(counts().reduce((sum, spans) => sum + spans, 0)).toBe(20_000)
  })

  it('is skipped if the endpoint does not support it', async () => {
    const { add, sealed, batcher, form } = batching({ compression: 'zlib' })
    form.refusesCompression()
    add('a')
    await batcher.seal()
    expect(sealed).toMatchObject([{ isCompressed: false }])
  })

  it('of one span that stays above the request limit gives one request', async () => {
    const { addSpan, counts, batcher } = batching({ compression: 'zlib' })
    addSpan(noise(1_500_000))
    await batcher.seal()
    expect(counts()).toEqual([1])
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

describe('write-ahead spans', () => {
  /** Keeps what is written, file by file. */
  function writing() {
    const files: { names: string[]; spans: number }[][] = [[]]
    const ahead = {
      write: (request: Uint8Array, spans: number) => void files.at(-1)?.push({ names: namesIn(request), spans }),
      takeSpare: () => undefined,
      next: () => {
        const written = files.at(-1) ?? []
        if (written.length === 0) return undefined
        files.push([])
        return { remove: () => void files.splice(files.indexOf(written), 1) }
      },
    }
    return { files, ahead: ahead as unknown as WriteAhead }
  }

  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('are on disk after 50 ms, once each, before their batch is sealed', () => {
    const { files, ahead } = writing()
    const { add, counts } = batching({ ahead })
    add('a', 'b')
    vi.advanceTimersByTime(49)
    expect(files).toEqual([[]])
    vi.advanceTimersByTime(1)
    add('c')
    vi.advanceTimersByTime(50)
    vi.advanceTimersByTime(1_000)
    expect([files, counts()]).toEqual([
      [
        [
          { names: ['a', 'b'], spans: 2 },
          { names: ['c'], spans: 1 },
        ],
      ],
      [],
    ])
  })

  it('have one file for each batch', async () => {
    const { files, ahead } = writing()
    const { add, sealed, batcher } = batching({ ahead })
    for (const name of ['a', 'b']) {
      add(name)
      vi.advanceTimersByTime(50)
      await batcher.seal()
    }
    expect(files).toEqual([[{ names: ['a'], spans: 1 }], [{ names: ['b'], spans: 1 }], []])
    sealed[0]?.ahead?.remove()
    expect(files).toEqual([[{ names: ['b'], spans: 1 }], []])
  })

  it('are not written if their batch was sealed before', async () => {
    const { files, ahead } = writing()
    const { add, sealed, batcher } = batching({ ahead })
    add('a')
    await batcher.seal()
    vi.advanceTimersByTime(1_000)
    expect([files, sealed[0]?.ahead]).toEqual([[[]], undefined])
  })
})

describe('asynchronous resource attributes', () => {
  it('are awaited and part of the batch', async () => {
    const { late, learn } = lateResource()
    const { addSpan, batcher, sealed } = batching()
    addSpan(plainSpan('s', { resource: late }))
    const seal = batcher.seal()
    await turn()
    expect([sealed.length, batcher.items]).toEqual([0, 1])
    await learn()
    await seal
    expect(batcher.items).toBe(0)
    expect(sealed[0]?.epoch).toBeLessThanOrEqual(await seal)
    expect(spansIn(sealed[0]?.body ?? new Uint8Array())).toMatchObject([
      { name: 's', resource: { 'service.name': 'late', 'host.name': 'h1' } },
    ])
  })

  it('are awaited by a flush, as is the compression after them', async () => {
    const { late, learn } = lateResource()
    const { addSpan, batcher, sealed } = batching({ compression: 'zlib' })
    addSpan(plainSpan('s', { resource: late }))
    const seal = batcher.seal()
    void learn()
    const epoch = await seal
    expect(sealed).toHaveLength(1)
    expect(sealed[0]?.epoch).toBeLessThanOrEqual(epoch)
  })

  it('do not delay other batches', async () => {
    const { addSpan, add, batcher, sealed } = batching({ size: 1 })
    addSpan(plainSpan('late', { resource: lateResource().late }))
    add('a', 'b')
    expect(sealed.map(({ body }) => namesIn(body).join())).toEqual(['a', 'b'])
    expect(batcher.items).toBe(1)
  })

  it('that never resolve are awaited up to the limit', async () => {
    vi.useFakeTimers()
    const { addSpan, batcher, sealed } = batching({ resourceMs: 5_000 })
    addSpan(plainSpan('s', { resource: lateResource().late }))
    void batcher.seal()
    await vi.advanceTimersByTimeAsync(4_999)
    expect(sealed).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(sealed).toHaveLength(1)
    vi.useRealTimers()
  })

  it('that reject do not lose the batch', async () => {
    const { late } = lateResource()
    Object.assign(late, { waitForAsyncAttributes: () => Promise.reject(new Error('no metadata service')) })
    const { addSpan, batcher, counts } = batching()
    addSpan(plainSpan('s', { resource: late }))
    await batcher.seal()
    expect(counts()).toEqual([1])
  })
})

describe('sealing everything at once', () => {
  it('returns open, waiting and compressing batches, each once', async () => {
    const { late, learn } = lateResource()
    const { addSpan, add, batcher, sealed, counts } = batching({ compression: 'zlib', size: 3 })
    add('a', 'b', 'c')
    addSpan(plainSpan('late', { resource: late }))
    addSpan(plainSpan('late', { resource: late }))
    add('d')
    add('open')
    expect([counts(), batcher.items]).toEqual([[], 7])
    batcher.sealNow()
    expect(batcher.items).toBe(0)
    expect(sealed.flatMap(({ body }) => namesIn(body)).sort()).toEqual(['a', 'b', 'c', 'd', 'late', 'late', 'open'])
    expect(sealed.every(({ isCompressed }) => isCompressed)).toBe(true)
    // What was under way comes to its end later, and adds nothing.
    await learn()
    await batcher.seal()
    expect(sealed).toHaveLength(3)
  })

  it('compresses nothing if compression is off', () => {
    const { add, batcher, sealed } = batching()
    add('a')
    batcher.sealNow()
    expect(sealed).toMatchObject([{ isCompressed: false }])
  })
})

describe('the byte budget of the batcher', () => {
  it('has the bytes of open and compressing batches, and not of sealed ones', async () => {
    const { addSpan, batcher, budget } = batching({ compression: 'zlib' })
    const bytes = addSpan(plainSpan('a', { resource })) + addSpan(plainSpan('b', { resource }))
    expect(budget.used).toBe(bytes)
    const seal = batcher.seal()
    expect(budget.used).toBeGreaterThan(bytes)
    expect(budget.used).toBeLessThan(bytes + 200)
    await seal
    expect(budget.used).toBe(0)
  })

  it.each(['seal', 'sealNow'] as const)('is released whatever happened before %s', async (end) => {
    const { late, learn } = lateResource()
    for (const compression of ['zlib', 'stream', 'none'] as const) {
      const { addSpan, add, batcher, budget } = batching({ compression, size: 4, budget: new ByteBudget(20_000) })
      add(...names(7))
      addSpan(noise(30_000))
      addSpan(plainSpan('late', { resource: late }))
      add(...names(5))
      if (end !== 'seal') batcher[end]()
      await learn()
      await batcher.seal()
      await turn()
      await batcher.seal()
      expect([batcher.items, budget.used]).toEqual([0, 0])
    }
  })
})
