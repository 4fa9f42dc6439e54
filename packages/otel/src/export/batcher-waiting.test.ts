import type { WriteAhead } from '@svc/core/delivery/spool/write-ahead'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { namesIn, plainSpan } from '../../test/support/batches.ts'
import { batching, lateResource, turn } from '../../test/support/batching.ts'
import { spansIn } from '../../test/support/protobuf.ts'

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
