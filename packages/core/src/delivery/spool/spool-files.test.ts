import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fakeClock } from '../../../test/support/clock.ts'
import { catchLog } from '../../../test/support/console.ts'
import { ITEMS } from '../../../test/support/nouns.ts'
import { identity, MEBI } from '../../../test/support/spools.ts'
import { Ledger } from '../ledger.ts'
import { SpoolDirectory } from './directory.ts'
import { HEAD_SIZE, HEADER_SIZE, headerOf, type SpoolRecord } from './format.ts'
import { SpoolEntry, type SpoolFile } from './spool-file.ts'
import { SpoolFiles, type SpoolParts } from './spool-files.ts'

const log = catchLog()

const CAUSE = { kind: 'test', text: 'Lost.' }
const BODY = 1_000

let folder: string
let starts = 0
const open: SpoolFiles[] = []
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'svc-spool-'))
})
afterEach(() => {
  for (const files of open.splice(0)) files.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

/** The files of a process that has just started. */
function started(overrides: Partial<Pick<SpoolParts, 'maxBytes' | 'maxAgeMs'>> & { faults?: Partial<typeof fs> } = {}) {
  const { faults, ...limits } = overrides
  const disk = { ...fs, ...faults }
  const clock = fakeClock()
  const ledger = new Ledger(ITEMS, clock.now)
  // Each as after the restart of a container: the same number, another start.
  const directory = new SpoolDirectory(folder, { host: 'ab', pid: process.pid, thread: 0, start: ++starts * 2_000 }, fs)
  const parts = {
    fs: disk,
    crc32,
    identity,
    directory,
    ledger,
    noun: ITEMS,
    clock,
    maxBytes: 100 * MEBI,
    maxAgeMs: 1_000,
    ...limits,
  }
  const files = new SpoolFiles(parts)
  open.push(files)
  return { files, clock, ledger, directory }
}

/** Writes a batch into a file. */
function store(file: SpoolFile | undefined, { items = 1, at = Date.now(), size = BODY, isInMemory = false } = {}) {
  if (!file?.segment) throw new Error('no file to write to')
  const id = file.newId()
  const record: SpoolRecord = { kind: 'batch', id, isCompressed: false, rawSize: size, items, at }
  file.segment.append(record, new Uint8Array(size), { onFailed() {} })
  file.segment.flush()
  return new SpoolEntry(file, { id, items, at }, isInMemory)
}

/** Fills a file, so that the next batch begins another one. */
function fill(files: SpoolFiles, items: number): SpoolFile {
  const size = 8 * MEBI - HEADER_SIZE - HEAD_SIZE
  return store(files.writable(size), { items, size }).file
}

const names = () => fs.readdirSync(folder)

describe('the current spool file', () => {
  it('is used until it has 8 MiB', () => {
    const { files } = started()
    const first = files.writable(BODY)
    store(first)
    expect([files.writable(BODY) === first, files.isCurrent(first as SpoolFile)]).toEqual([true, true])
    store(first, { size: 8 * MEBI - 3 * BODY })
    const second = files.writable(2 * BODY)
    expect([second === first, files.isCurrent(first as SpoolFile), names().length]).toEqual([false, false, 2])
  })

  it('is created with the first write', () => {
    started().files.tend()
    expect(names()).toEqual([])
  })

  it('is closed if the disk refuses a write, which is retried after a minute', () => {
    let isFull = true
    const { files, clock } = started({
      faults: {
        openSync: (...args) => {
          if (isFull) throw new Error('ENOSPC: no space left on device')
          return fs.openSync(...args)
        },
      },
    })
    expect(files.writable(BODY)).toBe(undefined)
    isFull = false
    clock.pass(59_999)
    expect(files.writable(BODY)).toBe(undefined)
    clock.pass(1)
    expect(files.writable(BODY)).toBeDefined()
    expect(log.lines()).toEqual([
      'svc: [WARN] The spool cannot be written: ENOSPC: no space left on device. It is tried again in a minute.',
    ])
  })

  it('promises no second attempt while the process ends', () => {
    const { files } = started({
      faults: {
        openSync: () => {
          throw new Error('ENOSPC: no space left on device')
        },
      },
    })
    files.isEnding = true
    expect(files.writable(BODY)).toBe(undefined)
    expect(log.lines()).toEqual(['svc: [WARN] The spool cannot be written: ENOSPC: no space left on device.'])
  })
})

describe('if the spool is full', () => {
  it('the oldest file is dropped first, and its items are counted', () => {
    const { files, ledger } = started({ maxBytes: 20 * MEBI })
    const first = fill(files, 3)
    const second = fill(files, 4)
    store(files.writable(5 * MEBI), { items: 5, size: 5 * MEBI })
    expect([ledger.dropped, files.items, names().length]).toEqual([{ spool: 3 }, 9, 2])
    expect([fs.existsSync(first.path), fs.existsSync(second.path)]).toEqual([false, true])
    expect(log.lines()).toEqual([
      'svc: [ERROR] The spool is full (20971520 bytes, SVC_OTEL_SPOOL_MAX_BYTES). 3 items are lost.',
    ])
  })

  it('the directory never exceeds its limit in bytes', () => {
    const { files, ledger } = started({ maxBytes: 10 * MEBI })
    let stored = 0
    for (let round = 0; round < 30; round++) {
      const file = files.writable(MEBI)
      if (!file) continue
      store(file, { size: MEBI })
      stored += 1
      const size = names().reduce((sum, name) => sum + fs.statSync(join(folder, name)).size, 0)
      // Heads of records are not in the account.
      expect(size).toBeLessThanOrEqual(10 * MEBI + 64 * HEAD_SIZE)
    }
    expect([stored, files.items + (ledger.dropped.spool ?? 0)]).toEqual([30, 30])
  })

  it('items that are also in memory are not counted as lost', () => {
    const { files, ledger } = started({ maxBytes: 8 * MEBI })
    const { file } = store(files.writable(BODY), { items: 3, isInMemory: true })
    store(file, { items: 4, size: 8 * MEBI - 2 * BODY })
    files.writable(MEBI)
    expect(ledger.dropped).toEqual({ spool: 4 })
  })

  it('files of other processes reduce the available bytes', () => {
    const { files } = started({ maxBytes: 10 * BODY })
    fs.writeFileSync(join(folder, 'cd-1-0-1-0.open'), new Uint8Array(9 * BODY))
    files.tend()
    expect([files.writable(BODY + 1), files.writable(BODY) !== undefined]).toEqual([undefined, true])
    fs.rmSync(join(folder, 'cd-1-0-1-0.open'))
    files.tend()
    expect(files.writable(BODY + 1)).toBeDefined()
  })

  it('the oldest batches of the current file are dropped as well', () => {
    const { files } = started({ maxBytes: 5 * BODY })
    for (let round = 0; round < 4; round++) store(files.writable(BODY))
    expect(files.writable(BODY)).toBeDefined()
  })

  it('nothing is dropped for a batch that is larger than the whole spool', () => {
    const { files, ledger } = started({ maxBytes: 9 * MEBI })
    fill(files, 3)
    files.writable(BODY)
    expect([files.writable(10 * MEBI), ledger.dropped, files.items]).toEqual([undefined, {}, 3])
  })
})

describe('a spool file that is too old', () => {
  it('is dropped, and its items are counted', () => {
    const { files, ledger } = started({ maxAgeMs: 60_000 })
    const old = store(files.writable(BODY), { items: 3, at: Date.now() - 60_001 })
    const young = store(old.file, { items: 4, at: Date.now() - 50_000 })
    files.dropOld(old.file)
    expect([ledger.dropped, files.items, old.file.waiting]).toEqual([{ spool: 3 }, 4, [young]])
    expect(log.lines()).toEqual([
      'svc: [ERROR] Items in the spool are kept for 60 s (SVC_OTEL_SPOOL_MAX_AGE). 3 items are lost.',
    ])
  })

  it('is looked for every minute, except for the current file', () => {
    const { files, ledger } = started({ maxAgeMs: 60_000 })
    const { file } = store(files.writable(BODY), { items: 3, at: 0 })
    files.tend()
    expect(ledger.dropped).toEqual({})
    store(file, { items: 4, size: 8 * MEBI - 2 * BODY })
    files.writable(MEBI)
    files.tend()
    expect([ledger.dropped, files.items]).toEqual([{ spool: 3 }, 4])
  })

  it('loses nothing that is also in memory', () => {
    const { files, ledger } = started()
    const { file } = store(files.writable(BODY), { at: 0, isInMemory: true })
    files.dropOld(file)
    expect(ledger.dropped).toEqual({})
  })
})

describe('the spool file that is read next', () => {
  it('is the oldest of this process, and is no longer written to', () => {
    const { files } = started()
    const first = fill(files, 1)
    const { file: second } = store(files.writable(BODY))
    expect([files.readable() === first, files.isCurrent(second)]).toEqual([true, true])
    files.remove(first)
    expect([files.readable() === second, files.isCurrent(second)]).toEqual([true, false])
    expect(files.writable(BODY) === second).toBe(false)
  })

  it('is one of an ended process if this process has none', () => {
    const before = started().files
    store(before.writable(BODY), { items: 3 })
    before.close()
    const { files } = started()
    const found = files.readable()
    expect([found?.segment, found?.size]).toEqual([undefined, HEADER_SIZE + HEAD_SIZE + BODY])
  })

  it('has the same version, URL and key; other files stay unchanged', () => {
    const header = headerOf(identity)
    for (const at of [0, 8, 12, 20]) {
      const other = Uint8Array.from(header, (byte, index) => (index === at ? byte + 1 : byte))
      fs.writeFileSync(join(folder, `ab-1-0-1-${at}.left`), other)
    }
    const before = names()
    expect([started().files.readable(), names()]).toEqual([undefined, before])
  })

  it('is looked for once a minute, not at every call', () => {
    const { files } = started()
    expect(files.readable()).toBe(undefined)
    const before = started().files
    store(before.writable(BODY))
    before.close()
    expect(files.readable()).toBe(undefined)
    files.tend()
    expect(files.readable()).toBeDefined()
  })
})

describe('spool files of other keys that are never sent', () => {
  it('are removed with a warning', () => {
    const { files } = started()
    const path = join(folder, 'cd34-1-0-1000-0.left')
    fs.writeFileSync(path, 'items')
    fs.utimesSync(path, 1_000, 1_000)
    files.tend()
    expect([names(), log.lines()]).toEqual([
      [],
      ['svc: [WARN] Old spool files of other keys or another address were removed: 1.'],
    ])
  })
})

describe('a heartbeat', () => {
  it('updates every file of the process', () => {
    const { files } = started()
    const first = fill(files, 1)
    const { file: second } = store(files.writable(BODY))
    for (const { path } of [first, second]) fs.utimesSync(path, 1_000, 1_000)
    files.tend()
    for (const { path } of [first, second]) expect(fs.statSync(path).mtimeMs).toBeGreaterThan(Date.now() - 60_000)
  })
})

describe('at the end of the process', () => {
  it('unsent batches are left for the next start, and empty files are removed', () => {
    const { files } = started()
    const first = fill(files, 1)
    const { file } = store(files.writable(BODY))
    first.remove(first.waiting[0] as SpoolEntry)
    files.close()
    expect(names()).toEqual([`${file.path.slice(folder.length + 1, -4)}left`])
  })

  it('all writes are on disk when the call returns, also in new files', () => {
    const { files } = started()
    files.isEnding = true
    const file = files.writable(BODY)
    const record: SpoolRecord = { kind: 'batch', id: 0, isCompressed: false, rawSize: BODY, items: 1, at: 0 }
    file?.segment?.append(record, new Uint8Array(BODY), { onFailed() {} })
    expect(fs.statSync(file?.path ?? '').size).toBe(HEADER_SIZE + HEAD_SIZE + BODY)
  })

  it('a file that was given up reports its batches as lost, once', () => {
    const { files, ledger } = started()
    const entry = store(files.writable(BODY), { items: 3 })
    files.lose(entry.file, CAUSE)
    files.loseEntry(entry, CAUSE)
    expect([ledger.dropped, files.items, names()]).toEqual([{ spool: 3 }, 0, []])
  })
})
