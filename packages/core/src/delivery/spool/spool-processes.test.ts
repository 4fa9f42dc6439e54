import fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import { catchLog } from '../../../test/support/console.ts'
import { batch, spools, stuck, text, texts } from '../../../test/support/spools.ts'
import type { SealedBatch } from '../sealed-batch.ts'
import { HEAD_SIZE, HEADER_SIZE } from './format.ts'
import type { SpoolEntry } from './spool-file.ts'

const log = catchLog()
const { started, leave, ownFile, files, bytes } = spools()

describe('a batch that is on disk and in memory', () => {
  it('is not read back by this process, and is there after the process was killed', async () => {
    const { spool, take } = started()
    await new Promise<void>((resolve) => {
      spool.write(batch('a', { items: 3 }), resolve)
    })
    expect([spool.items, spool.hasNext, await take()]).toEqual([0, false, undefined])
    const next = started()
    expect([texts(await next.takeAll()), next.ledger.ended]).toEqual([['a'], 3])
  })

  it('is removed from disk when it was sent', async () => {
    const { spool } = started()
    spool.end()
    const [first, second] = ['a', 'b'].map((one) => spool.write(batch(one))) as [SpoolEntry, SpoolEntry]
    spool.done(first)
    const next = started()
    expect([texts(await next.takeAll()), next.ledger.ended]).toEqual([['b'], 1])
    spool.done(second)
  })

  it('uses no disk space when all batches were sent', () => {
    const { spool } = started()
    spool.end()
    for (let round = 0; round < 20; round++) spool.done(spool.write(batch('a')) as SpoolEntry)
    expect(bytes()).toHaveLength(HEADER_SIZE)
  })

  it('is not written again when it leaves memory', async () => {
    const { spool, takeAll } = started()
    spool.end()
    const sealed = batch('a', { items: 3 })
    const entry = spool.write(sealed) as SpoolEntry
    const size = bytes().length
    expect([spool.put({ ...sealed, entry }), spool.items, bytes().length]).toEqual([true, 3, size])
    spool.close()
    expect([spool.items, await takeAll()]).toEqual([3, []])
    expect(texts(await started().takeAll())).toEqual(['a'])
  })
})

describe('a file that another process left', () => {
  it('is counted once, however often it is read', async () => {
    leave(batch('a'), batch('b'), batch('c'))
    const { spool, take, takeAll, ledger } = started()
    const [first, second, third] = [await take(), await take(), await take()] as SealedBatch[]
    // Nothing else is there, so the bytes are let go.
    expect(await take()).toBe(undefined)
    spool.done(first?.entry as SpoolEntry)
    for (const one of [second, third]) spool.put(one as SealedBatch)
    expect([texts(await takeAll()), ledger.ended, spool.items]).toEqual([['b', 'c'], 3, 0])
  })

  it('is kept if it cannot be read now, reported once, and read again after a minute', async () => {
    leave(batch('a'))
    let isBusy = true
    const readFile = ((path: string, done: (error: Error | null, bytes?: Buffer) => void) => {
      const error = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })
      if (isBusy) done(error)
      else done(null, fs.readFileSync(path))
    }) as unknown as typeof fs.readFile
    const { spool, clock } = started({ faults: { readFile } })
    expect([spool.take(), spool.hasNext, files().length]).toEqual([undefined, false, 1])
    isBusy = false
    expect(spool.take()).toBe(undefined)
    clock.pass(60_000)
    expect([spool.take(), text(spool.take() as SealedBatch)]).toEqual([undefined, 'a'])
    expect(log.lines()).toEqual([
      'svc: [WARN] A spool file cannot be read: EMFILE: too many open files. It is read again in a minute.',
    ])
  })
})

describe('a batch that is too old', () => {
  it('is not sent by the next process, and is counted', async () => {
    const before = started()
    before.spool.end()
    before.clock.pass(3_600_000)
    before.spool.put(batch('old', { items: 3, sealedAt: 3_600_000 - 60_001 }))
    before.spool.put(batch('young', { items: 4, sealedAt: 3_600_000 - 50_000 }))
    before.spool.close()
    const { ledger, takeAll } = started({ maxAgeMs: 60_000 })
    expect(texts(await takeAll())).toEqual(['young'])
    expect([ledger.ended, ledger.dropped]).toEqual([7, { spool: 3 }])
  })
})

describe('the end of a process', () => {
  it('leaves batches on disk when the call returns', async () => {
    // No thread has time to write.
    const { spool } = started({ faults: stuck })
    spool.put(batch('before', { items: 3 }))
    spool.end()
    spool.put(batch('after', { items: 4 }))
    expect(bytes()).toHaveLength(HEADER_SIZE + 2 * HEAD_SIZE + 'beforeafter'.length)
    spool.close()
    expect([spool.items, files().map((path) => path.slice(-4))]).toEqual([7, ['left']])
    expect(texts(await started().takeAll())).toEqual(['before', 'after'])
  })

  it('that does not happen after all lets this process send the batches, which are counted once', async () => {
    const { spool, takeAll, ledger } = started()
    ledger.end(2)
    spool.put(batch('a', { items: 2 }))
    spool.end()
    expect([await takeAll(), spool.items]).toEqual([[], 2])
    spool.close()
    spool.goOn()
    expect([texts(await takeAll()), ledger.ended, spool.items]).toEqual([['a'], 2, 0])
  })

  it('leaves batches that were read and not sent', async () => {
    leave(batch('a'), batch('b'))
    const { spool, take } = started()
    const first = (await take()) as SealedBatch
    spool.end()
    spool.put(first)
    spool.close()
    expect(texts(await started().takeAll()).sort()).toEqual(['a', 'b'])
  })

  it('leaves batches that were being read', async () => {
    leave(batch('a'), batch('b'))
    const { spool, read } = started()
    spool.take()
    spool.close()
    await read.underWay
    expect(texts(await started().takeAll())).toEqual(['a', 'b'])
  })

  it('leaves no file if nothing is to be sent', async () => {
    leave(batch('a'))
    const { spool, take } = started()
    const found = (await take()) as SealedBatch
    spool.end()
    spool.done(found.entry as SpoolEntry)
    spool.close()
    expect([files(), spool.items]).toEqual([[], 0])
  })

  it('may be sudden: batches on disk are sent by the next process', async () => {
    const { spool } = await ownFile(['a', 'b'])
    expect([spool.items, texts(await started().takeAll())]).toEqual([2, ['a', 'b']])
  })

  it('loses nothing that could not be sent, however often that happens', async () => {
    leave(batch('a', { items: 2 }), batch('b', { items: 3 }))
    for (let round = 0; round < 5; round++) {
      const { spool, ledger, takeAll } = started()
      const found = await takeAll()
      expect([ledger.ended, found.map(({ items }) => items), ledger.dropped]).toEqual([5, [2, 3], {}])
      for (const one of found) spool.put(one)
      spool.close()
    }
    expect(texts(await started().takeAll())).toEqual(['a', 'b'])
  })
})
