import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { identity } from '../../../test/support/spools.ts'
import { HEAD_SIZE, HEADER_SIZE, headerOf, recordsIn, type SpoolRecord } from './format.ts'
import { Segment } from './segment.ts'

let folder: string
let umask: number
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'svc-spool-'))
  umask = process.umask()
})
afterEach(() => {
  process.umask(umask)
  fs.rmSync(folder, { recursive: true, force: true })
})

const path = (name = 'one.open') => join(folder, name)

/** A segment on a disk that does as `faults` say. */
const segmentOn = (faults: Partial<typeof fs> = {}, file = path()) =>
  new Segment(file, { fs: { ...fs, ...faults }, crc32, identity })

const bytes = (file = path()) => new Uint8Array(fs.readFileSync(file))

/** Numbers and bodies of the intact records on disk. */
const stored = (file = path()) =>
  [...recordsIn(bytes(file), crc32)]
    .filter(({ isIntact }) => isIntact)
    .map(({ id, body }) => `${id} ${Buffer.from(body).toString()}`)

/** Appends a record. @returns what is told of it, and when */
function append(segment: Segment, id: number, text: string) {
  const results: string[] = []
  const settled = new Promise<void>((resolve) => {
    const record: SpoolRecord = { kind: 'batch', id, isCompressed: false, items: 1, rawSize: text.length, at: 0 }
    segment.append(record, new TextEncoder().encode(text), {
      onWritten: () => resolve(void results.push('written')),
      onFailed: ({ message }) => resolve(void results.push(message)),
    })
  })
  return { results, settled }
}

/** Writes of the event loop that wait until `go`, as they do while all threads of the pool are busy. */
function busyPool() {
  const waiting: (() => void)[] = []
  const done: Promise<void>[] = []
  const writev = ((...args: Parameters<typeof fs.writev>) => {
    const [file, buffers, position, callback] = args as unknown as [
      number,
      readonly NodeJS.ArrayBufferView[],
      number,
      (...result: unknown[]) => void,
    ]
    done.push(
      new Promise((resolve) => {
        waiting.push(() => {
          fs.writev(file, buffers, position, (...result) => {
            callback(...result)
            resolve()
          })
        })
      }),
    )
  }) as unknown as typeof fs.writev
  return {
    writev,
    async go() {
      for (const start of waiting.splice(0)) start()
      await Promise.all(done)
    },
  }
}

const noSpace = () => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })

/** The asynchronous writes of these numbers fail behind the head of the record, counted from 0. */
function failing(...numbers: readonly number[]): Partial<typeof fs> {
  let count = 0
  const writev = (...[file, buffers, position, callback]: readonly unknown[]) => {
    const results = callback as (error: Error | null, size: number) => void
    const isFailing = numbers.includes(count++)
    const written = (buffers as Uint8Array[]).slice(0, isFailing ? 1 : undefined)
    fs.writev(file as number, written, position as number, isFailing ? () => results(noSpace(), 0) : results)
  }
  return { writev: writev as unknown as typeof fs.writev }
}

describe('a new spool segment', () => {
  it('has a header and nothing else', () => {
    const segment = segmentOn()
    expect(bytes()).toEqual(headerOf(identity))
    expect([segment.size, segment.path]).toEqual([HEADER_SIZE, path()])
    segment.close()
  })

  it.each(['000', '022', '077'])('is readable and writable by its owner only, under a umask of %s', (mask) => {
    process.umask(mask)
    segmentOn().close()
    expect(fs.statSync(path()).mode & 0o777).toBe(0o600)
  })

  it('replaces no existing file', () => {
    fs.writeFileSync(path(), 'of somebody else')
    expect(() => segmentOn()).toThrow('EEXIST')
    expect(fs.readFileSync(path(), 'utf8')).toBe('of somebody else')
  })

  it('follows no symbolic link at its path', () => {
    fs.symlinkSync(path('elsewhere'), path())
    expect(() => segmentOn()).toThrow('EEXIST')
    expect(fs.existsSync(path('elsewhere'))).toBe(false)
  })

  it('on a full disk leaks no file descriptor and leaves no file', () => {
    const open = new Set<number>()
    const full: Partial<typeof fs> = {
      openSync: (...args) => {
        const file = fs.openSync(...args)
        open.add(file)
        return file
      },
      closeSync: (file) => {
        open.delete(file)
        fs.closeSync(file)
      },
      writeSync: () => {
        throw noSpace()
      },
    }
    expect(() => segmentOn(full)).toThrow('ENOSPC')
    const left = [open.size, fs.readdirSync(folder).length]
    for (const file of open) fs.closeSync(file)
    expect(left).toEqual([0, 0])
  })
})

describe('a record in a segment', () => {
  it('is on disk once its write is reported, byte by byte', async () => {
    const segment = segmentOn()
    const { results, settled } = append(segment, 0, 'first')
    expect(results).toEqual([])
    await settled
    expect([results, stored()]).toEqual([['written'], ['0 first']])
    expect(segment.size).toBe(bytes().length)
    segment.close()
  })

  it('comes after earlier records, whichever is written first', async () => {
    const segment = segmentOn()
    const writes = ['a', 'bb', '', 'dddd'].map((text, id) => append(segment, id, text))
    expect(segment.size).toBe(HEADER_SIZE + 4 * HEAD_SIZE + 7)
    await Promise.all(writes.map(({ settled }) => settled))
    expect(stored()).toEqual(['0 a', '1 bb', '2 ', '3 dddd'])
    segment.close()
  })

  it('is completed after a partial write', async () => {
    const half = (...[file, buffers, position, callback]: readonly unknown[]) => {
      const [head] = buffers as Uint8Array[]
      fs.writev(file as number, [head as Uint8Array], position as number, callback as () => void)
    }
    const segment = segmentOn({ writev: half as unknown as typeof fs.writev })
    const { results, settled } = append(segment, 0, 'first')
    await settled
    expect([results, stored()]).toEqual([['written'], ['0 first']])
    segment.close()
  })
})

describe('a flush of a segment', () => {
  it('has written everything when it returns, and reports it once', async () => {
    const pool = busyPool()
    const segment = segmentOn(pool)
    const writes = [append(segment, 0, 'a'), append(segment, 1, 'b')]
    segment.flush()
    expect(stored()).toEqual(['0 a', '1 b'])
    await pool.go()
    expect([writes.map(({ results }) => results), stored()]).toEqual([
      [['written'], ['written']],
      ['0 a', '1 b'],
    ])
    segment.close()
  })

  it('that stays active also writes later records synchronously', () => {
    const pool = busyPool()
    const segment = segmentOn(pool)
    append(segment, 0, 'a')
    segment.isSync = true
    expect(append(segment, 1, 'b').results).toEqual(['written'])
    expect(stored()).toEqual(['0 a', '1 b'])
    segment.close()
  })

  it('happens when a segment is closed', () => {
    const segment = segmentOn()
    const { results } = append(segment, 0, 'a')
    segment.close()
    expect([results, stored()]).toEqual([['written'], ['0 a']])
  })
})

describe('clearing a segment', () => {
  it('keeps its header and accepts new records', () => {
    const segment = segmentOn()
    segment.isSync = true
    append(segment, 0, 'a')
    expect([segment.clear(), segment.size, bytes().length]).toEqual([true, HEADER_SIZE, HEADER_SIZE])
    append(segment, 1, 'b')
    expect(stored()).toEqual(['1 b'])
    segment.close()
  })

  it('is refused while a record is being written', async () => {
    const segment = segmentOn()
    const { settled } = append(segment, 0, 'a')
    expect(segment.clear()).toBe(false)
    await settled
    expect([stored(), segment.clear(), stored()]).toEqual([['0 a'], true, []])
    segment.close()
  })

  it('fails if the disk refuses it', () => {
    const segment = segmentOn({
      ftruncateSync: () => {
        throw noSpace()
      },
    })
    segment.isSync = true
    append(segment, 0, 'a')
    expect([segment.clear(), segment.size, stored()]).toEqual([false, bytes().length, ['0 a']])
    segment.close()
  })
})

describe('a record that cannot be written to disk', () => {
  it('is reported as lost, and its place is used by the next', async () => {
    const segment = segmentOn(failing(0))
    const { results, settled } = append(segment, 0, 'lost')
    await settled
    expect([results, segment.size]).toEqual([['ENOSPC: no space left on device'], HEADER_SIZE])
    await append(segment, 1, 'kept').settled
    expect(stored()).toEqual(['1 kept'])
    segment.close()
  })

  it('leaves its neighbours unchanged', async () => {
    const segment = segmentOn(failing(1))
    const writes = ['a', 'lost', 'c'].map((text, id) => append(segment, id, text))
    await Promise.all(writes.map(({ settled }) => settled))
    expect(writes.map(({ results }) => results[0])).toEqual(['written', 'ENOSPC: no space left on device', 'written'])
    expect(stored()).toEqual(['0 a', '2 c'])
    expect([...recordsIn(bytes(), crc32)]).toHaveLength(2)
    segment.close()
  })

  it('is given up if only a part of it fits, and is not found later', () => {
    const segment = segmentOn({
      writevSync: (file, buffers, position) => {
        const [head] = buffers as Uint8Array[]
        return fs.writevSync(file, [head as Uint8Array], position as number)
      },
    })
    segment.isSync = true
    expect(append(segment, 0, 'lost').results).toEqual(['no space is left'])
    expect([[...recordsIn(bytes(), crc32)], segment.size, bytes().length]).toEqual([[], HEADER_SIZE, HEADER_SIZE])
    segment.close()
  })

  it('causes no error if the disk accepts nothing', () => {
    const broken = () => {
      throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
    }
    const disk: Partial<typeof fs> = { writevSync: broken, ftruncateSync: broken, writeSync: fs.writeSync }
    const segment = segmentOn(disk)
    segment.isSync = true
    expect([append(segment, 0, 'a').results, append(segment, 1, 'b').results]).toEqual([
      ['EIO: i/o error'],
      ['EIO: i/o error'],
    ])
    expect(() => segment.close()).not.toThrow()
  })
})

describe('a closed segment', () => {
  it('does not close a file descriptor that was reused', () => {
    const segment = segmentOn()
    segment.close()
    const other = fs.openSync(path('other'), 'wx')
    segment.close()
    expect(() => fs.writeSync(other, 'still open')).not.toThrow()
    fs.closeSync(other)
  })

  it('writes nothing through a file descriptor that was reused', async () => {
    const pool = busyPool()
    const segment = segmentOn(pool)
    append(segment, 0, 'of the spool')
    segment.close()
    const other = fs.openSync(path('other'), 'wx')
    fs.writeSync(other, 'of the application')
    await pool.go()
    fs.closeSync(other)
    expect(fs.readFileSync(path('other'), 'latin1')).toBe('of the application')
    expect(stored()).toEqual(['0 of the spool'])
  })
})
