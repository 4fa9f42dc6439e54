import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { batchOf } from '../../../test/support/batches.ts'
import { fakeClock } from '../../../test/support/clock.ts'
import { catchLog } from '../../../test/support/console.ts'
import { ITEMS } from '../../../test/support/nouns.ts'
import { Ledger } from '../ledger.ts'
import type { SealedBatch } from '../sealed-batch.ts'
import { type Owner, SpoolDirectory } from './directory.ts'
import { HEAD_SIZE, HEADER_SIZE } from './format.ts'
import { Spool } from './spool.ts'
import type { SpoolEntry } from './spool-file.ts'
import type { SpoolParts } from './spool-files.ts'

const log = catchLog()

const identity = { url: new Uint8Array(8).fill(1), key: new Uint8Array(8).fill(2) }
const MEBI = 1_048_576

let folder: string
let starts = 0
const open: Spool[] = []
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'svc-spool-'))
})
afterEach(() => {
  for (const spool of open.splice(0)) spool.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

interface Start extends Partial<Pick<SpoolParts, 'maxBytes' | 'maxAgeMs' | 'identity'>> {
  readonly faults?: Partial<typeof fs>
  readonly owner?: Partial<Owner>
}

/** The spool of a process that has just started. One before it has the same number, as in a container, and is gone. */
function started({ faults, owner, ...limits }: Start = {}) {
  const clock = fakeClock()
  const ledger = new Ledger(ITEMS, clock.now)
  const { readFile, read } = watchedReads()
  const disk = { ...fs, readFile, ...faults }
  const me = { host: 'ab', pid: process.pid, thread: 0, start: ++starts * 2_000, ...owner }
  const directory = new SpoolDirectory(folder, me, disk)
  const parts = {
    fs: disk,
    crc32,
    identity,
    directory,
    ledger,
    noun: ITEMS,
    clock,
    maxBytes: 100 * MEBI,
    maxAgeMs: 60_000,
  }
  const calls = { ready: 0 }
  const spool = new Spool({ ...parts, ...limits }, () => void calls.ready++)
  open.push(spool)

  /** The next batch, after a file was read if need be. */
  async function take(): Promise<SealedBatch | undefined> {
    for (let reads = 0; reads < 20; reads++) {
      const batch = spool.take()
      if (batch || !read.underWay) return batch
      await read.underWay
    }
    throw new Error('files are read again and again')
  }

  return {
    ...{ spool, clock, ledger, directory, calls, read, take },
    async takeAll() {
      const batches: SealedBatch[] = []
      for (let batch = await take(); batch; batch = await take()) batches.push(batch)
      return batches
    },
  }
}

/** Reads files as the event loop does, and tells when that is done. */
function watchedReads() {
  const read: { underWay: Promise<void> | undefined; count: number } = { underWay: undefined, count: 0 }
  const readFile = (path: string, done: (error: Error | null, bytes: Buffer) => void) => {
    read.count += 1
    read.underWay = new Promise((resolve) => {
      fs.readFile(path, (error, bytes) => {
        read.underWay = undefined
        done(error, bytes)
        resolve()
      })
    })
  }
  return { read, readFile: readFile as unknown as typeof fs.readFile }
}

/** A batch with any bytes as its body. */
const batch = (text: string, overrides: Partial<SealedBatch> = {}): SealedBatch => {
  const body = new TextEncoder().encode(text)
  return { body, isCompressed: false, rawSize: body.length, items: 1, sealedAt: 0, epoch: 0, ...overrides }
}

const text = ({ body }: SealedBatch) => Buffer.from(body).toString()

const texts = (batches: readonly SealedBatch[]) => batches.map(text)

const files = () => fs.readdirSync(folder).map((name) => join(folder, name))

/** Bytes of the only file. */
const bytes = () => fs.readFileSync(files()[0] ?? '')

/** Leaves batches on disk, in one file, as a process does that ends in order. */
function leave(...batches: readonly SealedBatch[]): void {
  const { spool } = started()
  spool.end()
  for (const one of batches) spool.put(one)
  spool.close()
}

/** A spool with these batches in a file of its own, all of them on disk. */
async function ownFile(batches: readonly string[], start: Start = {}) {
  // As the event loop writes, but at once.
  const writev = (...[file, buffers, position, done]: readonly unknown[]) => {
    const size = fs.writevSync(file as number, buffers as Uint8Array[], position as number)
    queueMicrotask(() => (done as (error: null, size: number) => void)(null, size))
  }
  const own = started({ ...start, faults: { writev: writev as unknown as typeof fs.writev } })
  for (const one of batches) own.spool.put(batch(one))
  await Promise.resolve()
  return own
}

/** A disk that has written when the call returns. */
const atOnce: Partial<typeof fs> = {
  writev: ((...[file, buffers, position, done]: readonly unknown[]) => {
    const size = fs.writevSync(file as number, buffers as Uint8Array[], position as number)
    ;(done as (error: null, size: number) => void)(null, size)
  }) as unknown as typeof fs.writev,
}

const noSpace = () => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })

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

  it('of which one half is put back is written again as that half', async () => {
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

describe('a truncated file', () => {
  const BODY = 6
  const RECORD = HEAD_SIZE + BODY

  it('returns the whole records, and counts the known items of the rest', async () => {
    leave(batch('first!', { items: 3 }), batch('second', { items: 5 }))
    const whole = bytes()
    expect(whole).toHaveLength(HEADER_SIZE + 2 * RECORD)
    for (let size = 0; size < whole.length; size++) {
      for (const path of files()) fs.rmSync(path)
      fs.writeFileSync(join(folder, 'ab-1-0-1-0.left'), whole.subarray(0, size))
      const next = started()
      const found = await next.takeAll()
      const records = size - HEADER_SIZE
      const isFirst = records >= RECORD
      const ended = (records >= HEAD_SIZE ? 3 : 0) + (records >= RECORD + HEAD_SIZE ? 5 : 0)
      const dropped = ended - (isFirst ? 3 : 0)
      expect([size, texts(found), next.ledger.ended, next.ledger.dropped.spool ?? 0, next.spool.items]).toEqual([
        ...[size, isFirst ? ['first!'] : []],
        ...[ended, dropped, 0],
      ])
    }
  })

  it('is removed if none of its records is usable', async () => {
    leave(batch('first!'))
    fs.truncateSync(files()[0] ?? '', HEADER_SIZE + 10)
    expect([await started().take(), files()]).toEqual([undefined, []])
  })
})

describe('a file with a changed byte', () => {
  it('returns the other records unchanged, and counts the items of the changed one', async () => {
    leave(batch('first!', { items: 3 }), batch('second', { items: 5 }))
    const whole = bytes()
    const [firstBody, secondHead, secondBody] = [72, 78, 118]
    for (let at = 0; at < whole.length; at++) {
      for (const path of files()) fs.rmSync(path)
      const changed = Uint8Array.from(whole, (byte, index) => (index === at ? byte ^ 0x55 : byte))
      fs.writeFileSync(join(folder, 'ab-1-0-1-0.left'), changed)
      const next = started()
      const found = texts(await next.takeAll())
      const figures = [next.ledger.ended, next.ledger.dropped.spool ?? 0, next.spool.items]
      const expected = () => {
        if (at < HEADER_SIZE) return [[], [0, 0, 0]]
        if (at < firstBody) return [['second'], [5, 0, 0]]
        if (at < secondHead) return [['second'], [8, 3, 0]]
        if (at < secondBody) return [['first!'], [3, 0, 0]]
        return [['first!'], [8, 5, 0]]
      }
      expect([at, found, figures]).toEqual([at, ...expected()])
    }
  })

  it('is reported as corrupt, with its path', async () => {
    leave(batch('first!', { items: 3 }))
    const [path = ''] = files()
    const changed = bytes()
    changed[HEADER_SIZE + HEAD_SIZE] = 0
    fs.writeFileSync(path, changed)
    await started().take()
    expect(log.lines('corrupt')).toEqual([
      expect.stringMatching(/^svc: \[ERROR\] A record of the spool is corrupt \(.*\.open\)\. 3 items are lost\.$/),
    ])
  })

  it.each([
    ['in the head', HEADER_SIZE],
    ['in the body', HEADER_SIZE + HEAD_SIZE],
  ])('that this process wrote loses that record, which is counted: %s', async (_, at) => {
    const { spool, ledger, takeAll } = await ownFile(['first!', 'second'])
    const [path = ''] = files()
    const changed = bytes()
    changed[at] = (changed[at] ?? 0) ^ 0x55
    fs.writeFileSync(path, changed)
    expect(texts(await takeAll())).toEqual(['second'])
    expect([ledger.dropped, spool.items]).toEqual([{ spool: 1 }, 0])
  })

  it('that this process wrote and that was truncated loses the missing records, which are counted', async () => {
    const { spool, ledger, takeAll } = await ownFile(['first!', 'second'])
    fs.truncateSync(files()[0] ?? '', HEADER_SIZE + HEAD_SIZE + 6)
    expect(texts(await takeAll())).toEqual(['first!'])
    expect([ledger.dropped, spool.items]).toEqual([{ spool: 1 }, 0])
  })
})

describe('a deleted spool file', () => {
  it('loses its batches, which are counted', async () => {
    const { spool, ledger, takeAll } = await ownFile(['a', 'b'])
    fs.rmSync(files()[0] ?? '')
    expect([await takeAll(), ledger.dropped, spool.items]).toEqual([[], { spool: 2 }, 0])
    expect(log.lines('cannot be read')).toHaveLength(1)
    spool.put(batch('c'))
    expect(texts(await takeAll())).toEqual(['c'])
  })

  /** A file that is found to be gone when these batches of it are under way, and one is not. */
  async function lost(...underWay: readonly string[]) {
    const own = await ownFile([...underWay, 'lost'])
    const found = await own.takeAll()
    own.spool.put(found.at(-1) as SealedBatch)
    fs.rmSync(files()[0] ?? '')
    expect([await own.take(), own.ledger.dropped]).toEqual([undefined, { spool: 1 }])
    return { ...own, underWay: found.slice(0, -1) }
  }

  it('loses nothing that was in flight and is put back', async () => {
    const { spool, underWay, takeAll, ledger } = await lost('a', 'b')
    const inMemory = underWay.filter((one) => !spool.put(one))
    const there = texts([...inMemory, ...(await takeAll())])
    expect([there, ledger.dropped, spool.items]).toEqual([['a', 'b'], { spool: 1 }, 0])
  })

  it('causes no write through a reused file descriptor', async () => {
    const { spool, underWay } = await lost('a', 'b')
    const others = openOthers()
    spool.done(underWay[0]?.entry as SpoolEntry)
    expect(others.map(({ path }) => fs.readFileSync(path, 'latin1')).filter((content) => content !== '')).toEqual([])
    for (const { file } of others) fs.closeSync(file)
  })

  it('does not close a reused file descriptor', async () => {
    const { spool, underWay } = await lost('a')
    const others = openOthers()
    spool.done(underWay[0]?.entry as SpoolEntry)
    const closed = others.filter(({ file }) => !isOpen(file))
    for (const { file } of others) if (isOpen(file)) fs.closeSync(file)
    expect(closed).toEqual([])
  })

  const openOthers = () =>
    ['x', 'y', 'z'].map((name) => {
      const path = join(folder, name)
      return { path, file: fs.openSync(path, 'w') }
    })

  const isOpen = (file: number) => {
    try {
      return fs.fstatSync(file).isFile()
    } catch {
      return false
    }
  }
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

describe('a disk that is too slow', () => {
  it('keeps at most 16 MiB in memory, except for a single larger batch', () => {
    const { spool } = started({ faults: { writev: (() => {}) as unknown as typeof fs.writev } })
    const sized = (mebi: number) => batch('x'.repeat(mebi * MEBI))
    expect([spool.put(sized(17)), spool.put(batch('small'))]).toEqual([true, false])
    const { spool: other } = started({ faults: { writev: (() => {}) as unknown as typeof fs.writev } })
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

describe('the end of a process', () => {
  it('leaves batches on disk when the call returns', async () => {
    // No thread has time to write.
    const { spool } = started({ faults: { writev: (() => {}) as unknown as typeof fs.writev } })
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
    ledger.adopt(2)
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
