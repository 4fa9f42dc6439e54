import type fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import { catchLog } from '../../../test/support/console.ts'
import { atOnce, batch, MEBI, noSpace, spools, stuck, text, texts } from '../../../test/support/spools.ts'
import type { SealedBatch } from '../sealed-batch.ts'
import type { SpoolEntry } from './spool-file.ts'

const log = catchLog()
const { started, files } = spools()

describe('a disk that is too slow', () => {
  it('keeps at most 16 MiB in memory, except for a single larger batch', () => {
    const { spool } = started({ faults: stuck })
    const sized = (mebi: number) => batch('x'.repeat(mebi * MEBI))
    expect([spool.put(sized(17)), spool.put(batch('small'))]).toEqual([true, false])
    const { spool: other } = started({ faults: stuck })
    expect([other.put(sized(7)), other.put(sized(7)), other.put(sized(7))]).toEqual([true, true, false])
  })
})

describe('if the spool is full', () => {
  /** A batch that fills a file. */
  const large = (name: string) => batch(name.padEnd(8 * MEBI - 200), { items: 2 })

  it('the oldest batches are dropped, and every item is accounted for', async () => {
    const { spool, ledger, takeAll } = started({ maxBytes: 20 * MEBI, faults: atOnce })
    for (const name of ['a', 'b', 'c', 'd']) expect(spool.put(large(name))).toBe(true)
    const found = await takeAll()
    expect(texts(found).map((one) => one[0])).toEqual(['c', 'd'])
    expect(ledger.dropped).toEqual({ spool: 4 })
  })

  it('a batch that was read and not sent is dropped with its file', async () => {
    const { spool, take, takeAll, ledger } = started({ maxBytes: 20 * MEBI, faults: atOnce })
    for (const name of ['x', 'y']) spool.put(batch(name))
    const underWay = (await take()) as SealedBatch
    for (const name of ['b', 'c', 'd']) spool.put(large(name))
    expect(ledger.dropped).toEqual({ spool: 3 })
    expect([text(underWay), texts(await takeAll()).map((one) => one[0])]).toEqual(['x', ['c', 'd']])
  })

  it('a batch in flight whose file was dropped is not lost when it is put back', async () => {
    const { spool, take, takeAll, ledger } = started({ maxBytes: 20 * MEBI, faults: atOnce })
    spool.put(large('a'))
    const first = (await take()) as SealedBatch
    spool.put(large('b'))
    const second = (await take()) as SealedBatch
    for (const name of ['c', 'd']) spool.put(large(name))
    expect(files()).toHaveLength(2)
    const inMemory = [first, second].filter((one) => !spool.put(one))
    const there = [...inMemory, ...(await takeAll())]
    expect(2 * there.length + (ledger.dropped.spool ?? 0)).toBe(8)
  })
})

describe('a full disk', () => {
  const full = (...[, , , done]: readonly unknown[]) =>
    queueMicrotask(() => (done as (error: Error) => void)(noSpace()))
  const faults: Partial<typeof fs> = { writev: full as unknown as typeof fs.writev }

  it('cannot create a file: the batch stays in memory', () => {
    const { spool } = started({
      faults: {
        openSync: () => {
          throw noSpace()
        },
      },
    })
    expect([spool.put(batch('a')), spool.write(batch('a')), spool.items]).toEqual([false, undefined, 0])
  })

  it('loses the batch that was being written, with a warning, and is not used for a minute', async () => {
    const { spool, ledger, clock, takeAll } = started({ faults })
    expect(spool.put(batch('a', { items: 3 }))).toBe(true)
    await Promise.resolve()
    await Promise.resolve()
    expect([ledger.dropped, spool.items, spool.put(batch('b'))]).toEqual([{ spool: 3 }, 0, false])
    expect(log.lines('ENOSPC')).toHaveLength(2)
    clock.pass(60_000)
    expect([spool.put(batch('c')), spool.items]).toEqual([true, 1])
    // What is read has to be there: it is written once more, and this time that works.
    expect(texts(await takeAll())).toEqual(['c'])
  })

  it('loses nothing that is also in memory', async () => {
    const { spool, ledger } = started({ faults })
    const entry = spool.write(batch('a')) as SpoolEntry
    await Promise.resolve()
    await Promise.resolve()
    expect([ledger.dropped, spool.put(batch('a', { entry }))]).toEqual([{}, false])
  })
})
