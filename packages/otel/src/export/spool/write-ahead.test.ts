import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { Ledger } from '@svc/core/delivery/ledger'
import { type AheadFile, WriteAhead } from '@svc/core/delivery/spool/write-ahead'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SpoolDirectory } from '../../../../core/src/delivery/spool/directory.ts'
import { headerOf, recordsIn } from '../../../../core/src/delivery/spool/format.ts'
import { Spool } from '../../../../core/src/delivery/spool/spool.ts'
import { batchOf, namesIn } from '../../../test/support/batches.ts'
import { fakeClock } from '../../../test/support/clock.ts'
import { catchLog } from '../../../test/support/console.ts'
import { outboxWith } from '../../../test/support/outbox.ts'
import { networkError, taken } from '../../../test/support/responses.ts'
import { SPANS } from '../span-format.ts'

const log = catchLog()

const identity = { url: new Uint8Array(8).fill(1), key: new Uint8Array(8).fill(2) }

let folder: string
const spools: Spool[] = []
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'svc-spool-'))
})
afterEach(() => {
  for (const spool of spools.splice(0)) spool.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

const owner = (start: number) => ({ host: 'ab', pid: process.pid, thread: 0, start })

/** What writes ahead for a process; on a disk that does as `faults` say, and otherwise is there at once. */
function writing(faults: Partial<typeof fs> = {}) {
  const disk = { ...fs, writev: writevAtOnce, ...faults }
  const directory = new SpoolDirectory(folder, owner(0), disk)
  return { ahead: new WriteAhead(directory, SPANS, { fs: disk, crc32, identity }), directory }
}

const writevAtOnce = ((file: number, buffers: Uint8Array[], position: number, done: (...result: unknown[]) => void) => {
  const size = fs.writevSync(file, buffers, position)
  queueMicrotask(() => done(null, size))
}) as unknown as typeof fs.writev

/** A disk that knows which descriptors are open. */
function counting() {
  const open = new Set<number>()
  const disk: Partial<typeof fs> = {
    openSync: (...args) => {
      const file = fs.openSync(...args)
      open.add(file)
      return file
    },
    closeSync: (file) => {
      open.delete(file)
      fs.closeSync(file)
    },
  }
  return { open, disk }
}

const request = (...names: readonly string[]) => batchOf(names).body

const files = () => fs.readdirSync(folder).map((name) => join(folder, name))

const bytesOf = (path = '') => new Uint8Array(fs.readFileSync(path))

/** The names of the spans in each intact record. */
const stored = (path = '') =>
  [...recordsIn(bytesOf(path), crc32)].map(({ body, isIntact, items, rawSize, ...record }) => {
    expect([isIntact, rawSize, items]).toEqual([true, body.length, namesIn(body).length])
    return `${record.kind} ${record.id}: ${namesIn(body)}`
  })

describe('write-ahead spans of an open batch', () => {
  it('are on disk as complete requests with identical bytes', () => {
    const { ahead } = writing()
    const [first, second] = [request('a', 'b'), request('c')]
    ahead.write(first, 2)
    ahead.write(second, 1)
    const [path] = files()
    expect(stored(path)).toEqual(['batch 0: a,b', 'batch 1: c'])
    const bodies = [...recordsIn(bytesOf(path), crc32)].map(({ body }) => Buffer.from(body))
    expect(bodies).toEqual([Buffer.from(first), Buffer.from(second)])
  })

  it('have one file for each batch, which only its owner may read', () => {
    const { ahead } = writing()
    ahead.write(request('a'), 1)
    ahead.next()
    ahead.write(request('b'), 1)
    ahead.write(request('c'), 1)
    expect(files().map(stored)).toEqual([['batch 0: a'], ['batch 1: b', 'batch 2: c']])
    expect(files().map((path) => fs.statSync(path).mode & 0o777)).toEqual([0o600, 0o600])
    expect(files().map((path) => bytesOf(path).slice(0, 32))).toEqual([headerOf(identity), headerOf(identity)])
  })

  it('create no file without spans', () => {
    const { ahead } = writing()
    expect([ahead.next(), ahead.next(), files()]).toEqual([undefined, undefined, []])
  })

  it('are removed when their batch is on disk, unlike those of other batches', () => {
    const { ahead } = writing()
    ahead.write(request('a'), 1)
    const first = ahead.next() as AheadFile
    ahead.write(request('b'), 1)
    first.remove()
    expect(files().map(stored)).toEqual([['batch 1: b']])
  })

  it('are removed once, and nothing else is', () => {
    const { ahead } = writing()
    ahead.write(request('a'), 1)
    const file = ahead.next() as AheadFile
    const [path = ''] = files()
    file.remove()
    const other = fs.openSync(path, 'wx')
    file.remove()
    expect([fs.fstatSync(other).isFile(), files()]).toEqual([true, [path]])
    fs.closeSync(other)
  })

  it('hold no file descriptor after removal', async () => {
    const { open, disk } = counting()
    const { ahead } = writing(disk)
    ahead.write(request('a'), 1)
    expect(open.size).toBe(1)
    ahead.next()?.remove()
    await Promise.resolve()
    expect(open.size).toBe(0)
  })

  it('are removed when they were sent, and kept if that fails', () => {
    const { ahead } = writing()
    ahead.write(request('a'), 1)
    const { add, takeAll, clock } = outboxWith()
    add({ ...batchOf(['a']), ahead: ahead.next() as AheadFile })
    takeAll()[0]?.settle(networkError('ECONNREFUSED'))
    expect(files()).toHaveLength(1)
    clock.pass(60_000)
    takeAll()[0]?.settle(taken)
    expect(files()).toEqual([])
  })
})

describe('a killed process with write-ahead spans', () => {
  /** What the next process sends. */
  async function sentByNext() {
    const disk = { ...fs }
    const clock = fakeClock()
    const ledger = new Ledger(SPANS, clock.now)
    const directory = new SpoolDirectory(folder, owner(2_000), disk)
    const limits = { maxBytes: 1_048_576, maxAgeMs: 60_000 }
    let tell = () => {}
    const spool = new Spool({ fs: disk, crc32, identity, directory, ledger, noun: SPANS, clock, ...limits }, () =>
      tell(),
    )
    spools.push(spool)
    const sent: string[] = []
    // Until no file is left: what is taken is done at once.
    while (files().length > 0) {
      const isReady = new Promise<void>((resolve) => {
        tell = resolve
      })
      const batch = spool.take()
      if (!batch) await isReady
      else {
        sent.push(namesIn(batch.body).join())
        if (batch.entry) spool.done(batch.entry)
      }
    }
    return { sent, ended: ledger.ended }
  }

  it('loses none of them', async () => {
    const { ahead } = writing()
    ahead.write(request('a', 'b'), 2)
    ahead.next()
    ahead.write(request('c'), 1)
    ahead.write(request('d'), 1)
    const { sent, ended } = await sentByNext()
    expect([sent.sort(), ended]).toEqual([['a,b', 'c', 'd'], 4])
  })

  it('loses only a partially written one', async () => {
    const { ahead } = writing()
    ahead.write(request('a'), 1)
    ahead.write(request('b'), 1)
    const [path = ''] = files()
    fs.truncateSync(path, bytesOf(path).length - 1)
    expect(await sentByNext()).toEqual({ sent: ['a'], ended: 2 })
    expect(log.lines('1 span is lost')).toHaveLength(1)
  })
})

describe('a disk that refuses write-ahead spans', () => {
  const noSpace = () => {
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  }
  const LINE = 'svc: [WARN] Spans cannot be written to disk (SVC_OTEL_SPOOL=always): ENOSPC: no space left on device.'

  it('is reported once, and the spans stay in memory', () => {
    const { ahead } = writing({ openSync: noSpace })
    for (let round = 0; round < 3; round++) ahead.write(request('a'), 1)
    expect([ahead.next(), files(), log.lines()]).toEqual([undefined, [], [LINE]])
  })

  it('for an existing file is reported once, and loses only that write', async () => {
    let isFull = false
    const writev = ((...[file, buffers, position, done]: readonly unknown[]) => {
      if (isFull) queueMicrotask(() => (done as (error: Error) => void)(new Error('ENOSPC: no space left on device')))
      else writevAtOnce(file as number, buffers as Uint8Array[], position as number, done as () => void)
    }) as unknown as typeof fs.writev
    const { ahead } = writing({ writev })
    ahead.write(request('a'), 1)
    isFull = true
    ahead.write(request('b'), 1)
    ahead.write(request('c'), 1)
    await Promise.resolve()
    isFull = false
    ahead.write(request('d'), 1)
    expect([stored(files()[0]), log.lines()]).toEqual([['batch 0: a', 'batch 3: d'], [LINE]])
  })

  it('does not leak a file descriptor every 50 ms', () => {
    const { open, disk } = counting()
    const { ahead } = writing({ ...disk, writeSync: noSpace })
    for (let round = 0; round < 20; round++) ahead.write(request('a'), 1)
    const left = [open.size, files().length]
    for (const file of open) fs.closeSync(file)
    expect(left).toEqual([0, 0])
  })
})
