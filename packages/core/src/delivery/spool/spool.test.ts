import fs from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { batchOf } from '../../../test/support/batches.ts'
import { catchLog } from '../../../test/support/console.ts'
import { batch, identity, spools, texts } from '../../../test/support/spools.ts'
import type { SealedBatch } from '../sealed-batch.ts'
import type { SpoolEntry } from './spool-file.ts'

catchLog()
const { started, leave, ownFile, files, bytes } = spools()

describe('a batch in the spool', () => {
  const plain = batchOf(['a', 'b', 'c'])
  const gzip = { ...plain, body: new Uint8Array(gzipSync(plain.body)), isCompressed: true }
  const any = batch('', { body: Uint8Array.from({ length: 70_000 }, (_, at) => at), rawSize: 5, items: 9 })

  it.each([
    ['plain', plain],
    ['compressed', gzip],
    ['any', any],
    ['no', batch('', { items: 4 })],
  ])('is read back with identical bytes: %s', async (_, sealed) => {
    const { spool, take } = started()
    expect(spool.put(sealed)).toBe(true)
    const found = await take()
    const { body, isCompressed, rawSize, items } = sealed
    expect(found).toMatchObject({ isCompressed, rawSize, items })
    expect(Buffer.compare(found?.body ?? new Uint8Array(1), body)).toBe(0)
  })

  it('is read back with identical bytes after the next start', async () => {
    leave(plain, gzip, any)
    const found = await started().takeAll()
    expect(found.map(({ isCompressed, rawSize, items }) => [isCompressed, rawSize, items])).toEqual([
      [false, plain.rawSize, 3],
      [true, plain.rawSize, 3],
      [false, 5, 9],
    ])
    expect(found.map(({ body }, at) => Buffer.compare(body, [plain, gzip, any][at]?.body ?? body))).toEqual([0, 0, 0])
  })

  it('is counted while it exists only on disk', async () => {
    const { spool, take } = started()
    spool.put(batch('a', { items: 3 }))
    spool.put(batch('b', { items: 4 }))
    expect([spool.items, spool.hasNext]).toEqual([7, true])
    const first = await take()
    expect(spool.items).toBe(4)
    spool.done(first?.entry as SpoolEntry)
    const second = await take()
    expect([spool.items, spool.hasNext, files().length]).toEqual([0, false, 1])
    spool.done(second?.entry as SpoolEntry)
    expect(files()).toEqual([])
  })

  it('is not waited for by a flush, and does not age in memory', async () => {
    const { spool, clock, take } = started()
    spool.put(batch('a'))
    clock.pass(5_000)
    expect(await take()).toMatchObject({ epoch: Number.POSITIVE_INFINITY, sealedAt: 5_000 })
  })

  it('is put back without another write or read', async () => {
    const { spool, take, takeAll, read } = started()
    spool.put(batch('a', { items: 3 }))
    spool.put(batch('b', { items: 4 }))
    const found = (await take()) as SealedBatch
    const size = bytes().length
    expect([spool.put(found), spool.items, bytes().length]).toEqual([true, 7, size])
    expect([texts(await takeAll()), read.count]).toEqual([['b', 'a'], 1])
  })

  it('that is put back after all others were taken is read again', async () => {
    const { spool, take, takeAll } = started()
    spool.put(batch('under way'))
    spool.put(batch('a'))
    const [, found] = await takeAll()
    expect(await take()).toBe(undefined)
    spool.put(found as SealedBatch)
    expect([spool.hasNext, texts(await takeAll())]).toEqual([true, ['a']])
  })

  it('that was split is removed once both halves are settled', async () => {
    const { spool, take } = started()
    spool.put(batch('ab', { items: 2 }))
    const { entry } = (await take()) as SealedBatch & { entry: SpoolEntry }
    spool.split(entry)
    spool.done(entry)
    expect(files()).toHaveLength(1)
    spool.done(entry)
    expect(files()).toEqual([])
  })

  it('that was split and put back in half is written again as that half', async () => {
    const { spool, take, takeAll } = started()
    spool.put(batch('ab', { items: 2 }))
    const { entry } = (await take()) as SealedBatch & { entry: SpoolEntry }
    spool.split(entry)
    spool.done(entry)
    expect([spool.put(batch('b', { entry })), spool.items]).toEqual([true, 1])
    const found = await takeAll()
    expect(texts(found)).toEqual(['b'])
    spool.done(found[0]?.entry as SpoolEntry)
    expect(files()).toEqual([])
  })
})

describe('the spool', () => {
  it('signals available batches when it is opened and after a file was read', async () => {
    const { spool, calls, read } = started()
    await Promise.resolve()
    expect(calls.ready).toBe(1)
    spool.put(batch('a'))
    expect([spool.take(), spool.hasNext, calls.ready]).toEqual([undefined, false, 1])
    await read.underWay
    expect([calls.ready, spool.hasNext, spool.take()?.items]).toEqual([2, true, 1])
  })

  it('is empty if nothing was left', async () => {
    const { spool, take } = started()
    expect([spool.hasNext, spool.items, await take(), files()]).toEqual([false, 0, undefined, []])
  })

  it('counts what it takes over, once', async () => {
    leave(batch('a', { items: 3 }), batch('b', { items: 4 }))
    const { ledger, spool, take, takeAll } = started()
    expect(ledger.ended).toBe(0)
    await take()
    expect([ledger.ended, spool.items]).toEqual([7, 4])
    await takeAll()
    expect([ledger.ended, spool.items, ledger.dropped]).toEqual([7, 0, {}])
  })

  it('takes over the files of all ended processes, one after the other', async () => {
    leave(batch('a'))
    leave(batch('b'), batch('c'))
    const next = started()
    const found = await next.takeAll()
    expect(texts(found).sort()).toEqual(['a', 'b', 'c'])
    for (const { entry } of found) next.spool.done(entry as SpoolEntry)
    expect(files()).toEqual([])
  })

  it('does not take over the file of a running process', async () => {
    const other = await ownFile(['a'], { owner: { pid: process.ppid } })
    expect([await started().take(), texts(await other.takeAll())]).toEqual([undefined, ['a']])
  })

  it('shares left batches with other processes, each once', async () => {
    for (let round = 0; round < 6; round++) leave(batch(`${round}`))
    const processes = [started(), started({ owner: { pid: process.ppid } })]
    const found = await Promise.all(processes.map(({ takeAll }) => takeAll()))
    expect(found.flatMap(texts).sort()).toEqual(['0', '1', '2', '3', '4', '5'])
  })

  it.each([
    ['URL', { ...identity, url: new Uint8Array(8) }],
    ['key', { ...identity, key: new Uint8Array(8) }],
  ])('ignores batches of another %s', async (_, other) => {
    leave(batch('a'))
    const before = files()
    expect([await started({ identity: other }).take(), files()]).toEqual([undefined, before])
    expect(texts(await started().takeAll())).toEqual(['a'])
  })

  it('ignores a file of another format version', async () => {
    leave(batch('a'))
    const [path = ''] = files()
    const changed = bytes()
    changed[8] = 2
    fs.writeFileSync(path, changed)
    const { ledger, take } = started()
    expect([await take(), files(), bytes().equals(changed), ledger.ended]).toEqual([undefined, [path], true, 0])
  })

  it('uses files that no other spool uses', () => {
    const { spool } = started()
    spool.put(batch('a'))
    expect(files().map((path) => fs.statSync(path).mode & 0o777)).toEqual([0o600])
  })
})
