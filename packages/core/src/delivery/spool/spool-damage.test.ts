import fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import { catchLog } from '../../../test/support/console.ts'
import { batch, spools, texts } from '../../../test/support/spools.ts'
import type { SealedBatch } from '../sealed-batch.ts'
import { HEAD_SIZE, HEADER_SIZE } from './format.ts'
import type { SpoolEntry } from './spool-file.ts'

const log = catchLog()
const { started, leave, ownFile, files, bytes, inFolder } = spools()

describe('a truncated file', () => {
  const BODY = 6
  const RECORD = HEAD_SIZE + BODY

  it('returns the whole records, and counts the known items of the rest', async () => {
    leave(batch('first!', { items: 3 }), batch('second', { items: 5 }))
    const whole = bytes()
    expect(whole).toHaveLength(HEADER_SIZE + 2 * RECORD)
    for (let size = 0; size < whole.length; size++) {
      for (const path of files()) fs.rmSync(path)
      fs.writeFileSync(inFolder('ab-1-0-1-0.left'), whole.subarray(0, size))
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

describe('a file in which a record is there twice', () => {
  it('returns it once, and counts it once', async () => {
    leave(batch('first!', { items: 3 }), batch('second', { items: 5 }))
    const whole = bytes()
    fs.appendFileSync(files()[0] ?? '', whole.subarray(HEADER_SIZE))
    const { takeAll, ledger, spool } = started()
    expect([texts(await takeAll()), ledger.ended, spool.items]).toEqual([['first!', 'second'], 8, 0])
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
      fs.writeFileSync(inFolder('ab-1-0-1-0.left'), changed)
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
      const path = inFolder(name)
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
