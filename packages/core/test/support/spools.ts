import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach } from 'vitest'
import { Ledger } from '../../src/delivery/ledger.ts'
import type { SealedBatch } from '../../src/delivery/sealed-batch.ts'
import { type Owner, SpoolDirectory } from '../../src/delivery/spool/directory.ts'
import { Spool } from '../../src/delivery/spool/spool.ts'
import type { SpoolParts } from '../../src/delivery/spool/spool-files.ts'
import { fakeClock } from './clock.ts'
import { ITEMS } from './nouns.ts'

/** The endpoint and the key that batches are for. */
export const identity = { url: new Uint8Array(8).fill(1), key: new Uint8Array(8).fill(2) }
export const MEBI = 1_048_576

export interface Start extends Partial<Pick<SpoolParts, 'maxBytes' | 'maxAgeMs' | 'identity'>> {
  readonly faults?: Partial<typeof fs>
  readonly owner?: Partial<Owner>
}

/** Spools in a folder that is made for each test and removed after it. */
export function spools() {
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

  const inFolder = (name: string) => join(folder, name)
  const files = () => fs.readdirSync(folder).map(inFolder)

  return {
    ...{ started, inFolder, files },
    /** Bytes of the only file. */
    bytes: () => fs.readFileSync(files()[0] ?? ''),
    /** Leaves batches on disk, in one file, as a process does that ends in order. */
    leave(...batches: readonly SealedBatch[]): void {
      const { spool } = started()
      spool.end()
      for (const one of batches) spool.put(one)
      spool.close()
    },
    /** A spool with these batches in a file of its own, all of them on disk. */
    async ownFile(batches: readonly string[], start: Start = {}) {
      // As the event loop writes, but at once.
      const writev = (...[file, buffers, position, done]: readonly unknown[]) => {
        const size = fs.writevSync(file as number, buffers as Uint8Array[], position as number)
        queueMicrotask(() => (done as (error: null, size: number) => void)(null, size))
      }
      const own = started({ ...start, faults: { writev: writev as unknown as typeof fs.writev } })
      for (const one of batches) own.spool.put(batch(one))
      await Promise.resolve()
      return own
    },
  }
}

/** Reads files as the event loop does; `underWay` settles when that is done. */
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
export const batch = (text: string, overrides: Partial<SealedBatch> = {}): SealedBatch => {
  const body = new TextEncoder().encode(text)
  return { body, isCompressed: false, rawSize: body.length, items: 1, sealedAt: 0, epoch: 0, ...overrides }
}

export const text = ({ body }: SealedBatch): string => Buffer.from(body).toString()

export const texts = (batches: readonly SealedBatch[]): string[] => batches.map(text)

/** A disk whose writes never complete. */
export const stuck: Partial<typeof fs> = { writev: (() => {}) as unknown as typeof fs.writev }

/** A disk that has written when the call returns. */
export const atOnce: Partial<typeof fs> = {
  writev: ((...[file, buffers, position, done]: readonly unknown[]) => {
    const size = fs.writevSync(file as number, buffers as Uint8Array[], position as number)
    ;(done as (error: null, size: number) => void)(null, size)
  }) as unknown as typeof fs.writev,
}

export const noSpace = (): Error => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
