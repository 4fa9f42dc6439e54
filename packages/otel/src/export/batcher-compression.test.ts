import { ByteBudget } from '@svc/core/delivery/byte-budget'
import { describe, expect, it } from 'vitest'
import { names, namesIn, plainSpan } from '../../test/support/batches.ts'
import { batching, lateResource, noise, resource, turn } from '../../test/support/batching.ts'

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

  it('leaves a batch the time when it was sealed, though a later one is ready before', () => {
    const parts = { compression: 'zlib', size: 1, budget: new ByteBudget(40_000) } as const
    const { addSpan, batcher, clock, sealed } = batching(parts)
    addSpan(noise(6_000))
    clock.pass(1)
    addSpan(noise(6_000))
    clock.pass(1)
    batcher.sealNow()
    expect(sealed.map(({ sealedAt }) => sealedAt)).toEqual([1, 0])
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
