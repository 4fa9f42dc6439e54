import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { catchLog } from '../../../test/support/console.ts'
import { type Owner, SpoolDirectory } from './directory.ts'
import { HEADER_SIZE } from './format.ts'

const NOW = 1_700_000_000_000
const MINUTE_MS = 60_000

/** A process that has ended, and one that lives and is not this one. */
const DEAD = spawnSync(process.execPath, ['--version']).pid
const ALIVE = process.ppid

const ME: Owner = { host: 'ab12', pid: process.pid, thread: 0, start: 5_000 }

const log = catchLog()
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

const directory = (owner: Partial<Owner> = {}, path = folder) => new SpoolDirectory(path, { ...ME, ...owner }, fs)

const files = () => fs.readdirSync(folder).sort()

const modeOf = (path: string) => fs.statSync(path).mode & 0o777

/** Puts a file of this owner into the folder, whose last sign of life was so long ago. */
function put(owner: Partial<Owner> = {}, { text = 'items', ageMs = 0 } = {}): string {
  const path = directory(owner).newPath()
  fs.writeFileSync(path, text)
  fs.utimesSync(path, (NOW - ageMs) / 1_000, (NOW - ageMs) / 1_000)
  return path
}

const all = () => true

/** A file of another user, with something in it. */
const ELSEWHERE = '/etc/hostname'

function second(path: string): void {
  fs.writeFileSync(join(folder, 'first'), 'of something else')
  fs.linkSync(join(folder, 'first'), path)
}

function open(path: string): void {
  fs.writeFileSync(path, 'forged')
  fs.chmodSync(path, 0o666)
}

function sparse(path: string): void {
  fs.writeFileSync(path, '')
  fs.truncateSync(path, 1_500_000_000)
}

describe('the spool directory', () => {
  it.each(['000', '022', '077'])('is created for its owner only, with its parents, under a umask of %s', (mask) => {
    process.umask(mask)
    directory({}, join(folder, 'a/b'))
    expect([modeOf(join(folder, 'a')), modeOf(join(folder, 'a/b'))]).toEqual([0o700, 0o700])
  })

  it('fails at once where the system creates no folders', () => {
    expect(() => directory({}, '/proc/none/spool')).toThrow()
  })

  it('keeps its mode if it exists already', () => {
    fs.chmodSync(folder, 0o755)
    directory()
    expect(modeOf(folder)).toBe(0o755)
  })

  it('may be below a symbolic link', () => {
    fs.mkdirSync(join(folder, 'real'))
    fs.symlinkSync('real', join(folder, 'link'))
    fs.writeFileSync(directory({}, join(folder, 'link/spool')).newPath(), '')
    expect(fs.readdirSync(join(folder, 'real/spool'))).toHaveLength(1)
  })

  it('is not a symbolic link, nor made through one', () => {
    fs.mkdirSync(join(folder, 'real'))
    fs.symlinkSync('real', join(folder, 'link'))
    fs.symlinkSync('missing', join(folder, 'dangling'))
    for (const link of ['link', 'link/', 'dangling'])
      expect(() => directory({}, join(folder, link))).toThrow(
        /is a symbolic link, which is not followed: name its target/,
      )
    expect(files()).toEqual(['dangling', 'link', 'real'])
  })

  it.each(['0777', '0770', '0702', '1777'])('is not used if others can write to it: mode %s', (text) => {
    const mode = Number.parseInt(text, 8)
    fs.chmodSync(folder, mode)
    expect(() => directory()).toThrow(/can be written by other users \(mode \d{4}\): chmod go-w it/)
    expect(fs.statSync(folder).mode & 0o7777).toBe(mode)
  })

  it('is neither used nor made below a folder that others can write to, unless only owners can rename there', () => {
    const spool = join(folder, 'a/spool')
    fs.chmodSync(folder, 0o777)
    expect(() => directory({}, spool)).toThrow(/can be written by other users/)
    expect(files()).toEqual([])
    fs.chmodSync(folder, 0o1777)
    directory({}, spool)
    fs.chmodSync(folder, 0o777)
    expect(() => directory({}, spool)).toThrow(/can be written by other users/)
  })

  it('cannot be a file, be below a file, or be a dangling link', () => {
    const file = join(folder, 'file')
    fs.writeFileSync(file, 'of somebody else')
    fs.symlinkSync('nowhere/at all', join(folder, 'link'))
    expect(() => directory({}, file)).toThrow(/is not a folder/)
    expect(() => directory({}, join(file, 'below'))).toThrow('ENOTDIR')
    expect(() => directory({}, join(folder, 'link'))).toThrow(/is a symbolic link/)
    expect(fs.readFileSync(file, 'utf8')).toBe('of somebody else')
  })

  it('must be readable, searchable and writable', () => {
    const headers: unknown[] = []
    const readOnly: Partial<typeof fs> = {
      accessSync: (path, mode) => {
        headers.push(path, mode)
        throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
      },
    }
    expect(() => new SpoolDirectory(folder, ME, { ...fs, ...readOnly })).toThrow('EACCES')
    expect(headers).toEqual([folder, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK])
  })

  it('may be deleted while it is used', () => {
    const spool = directory()
    const path = put({ pid: DEAD })
    fs.rmSync(folder, { recursive: true })
    spool.touch([path])
    spool.leave(path)
    spool.remove(path)
    expect([spool.size(), spool.claim(all)]).toEqual([0, undefined])
  })
})

describe('the path of a spool file', () => {
  it('is unique, and contains host, process, thread and start time', () => {
    const spool = directory({ pid: 17, thread: 3 })
    const paths = [spool.newPath(), spool.newPath(), spool.newPath()]
    expect(new Set(paths).size).toBe(3)
    for (const path of paths) expect(path.slice(folder.length)).toMatch(/^\/ab12-17-3-5000-[0-9a-z]+\.open$/)
  })
})

describe('a spool file is taken over', () => {
  it('if its process has ended', () => {
    const path = put({ pid: DEAD }, { text: 'of the dead' })
    const spool = directory()
    const found = spool.claim(all, NOW)
    expect(found).toMatchObject({ size: 11 })
    expect([fs.existsSync(path), fs.readFileSync(found?.path ?? '', 'utf8')]).toEqual([false, 'of the dead'])
    expect(found?.path).toMatch(/\/ab12-\d+-0-5000-[0-9a-z]+\.open$/)
  })

  it('if its process has released it, even while that process runs', () => {
    const owner = directory({ pid: ALIVE })
    const path = put({ pid: ALIVE })
    expect(directory().claim(all, NOW)).toBe(undefined)
    owner.leave(path)
    expect(files()).toEqual([`${path.slice(folder.length + 1, -4)}left`])
    expect(directory().claim(all, NOW)).toMatchObject({ size: 5 })
  })

  it('if an earlier process had the same process id, as in containers', () => {
    put({ start: ME.start - 1_501 })
    expect(directory().claim(all, NOW)).toMatchObject({ size: 5 })
  })

  it('if its process on another host was silent for ten minutes', () => {
    put({ host: 'cd34', pid: DEAD }, { ageMs: 10 * MINUTE_MS })
    const spool = directory()
    expect(spool.claim(all, NOW)).toBe(undefined)
    expect(spool.claim(all, NOW + 1_000)).toMatchObject({ size: 5 })
  })

  it('after ten minutes if its process id belongs to another process by now', () => {
    put({ pid: ALIVE }, { ageMs: 10 * MINUTE_MS })
    const spool = directory()
    expect(spool.claim(all, NOW)).toBe(undefined)
    expect(spool.claim(all, NOW + 1_000)).toMatchObject({ size: 5 })
  })

  it('whatever its mode is, and keeps that mode', () => {
    fs.chmodSync(put({ pid: DEAD }), 0o600)
    expect(modeOf(directory().claim(all, NOW)?.path ?? '')).toBe(0o600)
  })
})

describe('a spool file is not taken over', () => {
  it('from a running process', () => {
    put({ pid: ALIVE })
    const before = files()
    expect([directory().claim(all, NOW), files()]).toEqual([undefined, before])
  })

  it('from this process or one of its threads, even if the start time is rounded', () => {
    put({}, { ageMs: 60 * MINUTE_MS })
    put({ thread: 1, start: ME.start + 1_500 }, { ageMs: 60 * MINUTE_MS })
    expect([directory({ thread: 2 }).claim(all, NOW), files().length]).toEqual([undefined, 2])
  })

  it('from a process on another host that updates it', () => {
    const owner = directory({ host: 'cd34' })
    const path = put({ host: 'cd34' }, { ageMs: 20 * MINUTE_MS })
    owner.touch([`${folder}/gone`, path], NOW)
    expect([directory().claim(all, NOW + 10 * MINUTE_MS), directory().claim(all, NOW + 11 * MINUTE_MS)?.size]).toEqual([
      undefined,
      5,
    ])
  })

  it('if the caller rejects it, and keeps its name', () => {
    put({ pid: DEAD }, { text: `wanted?${'x'.repeat(100)}` })
    put({ pid: DEAD, thread: 1 }, { text: 'short' })
    const before = files()
    const headers: string[] = []
    const spool = directory()
    const isWanted = (header: Uint8Array) => {
      headers.push(Buffer.from(header).toString())
      return false
    }
    expect([spool.claim(isWanted, NOW), files()]).toEqual([undefined, before])
    expect(headers).toEqual([`wanted?${'x'.repeat(HEADER_SIZE - 7)}`, `short${'\0'.repeat(HEADER_SIZE - 5)}`])
  })

  it('twice by the same process', () => {
    put({ pid: DEAD })
    const [first, second] = [directory(), directory({ pid: ALIVE })]
    expect([first.claim(all, NOW)?.size, second.claim(all, NOW), first.claim(all, NOW)]).toEqual([
      5,
      undefined,
      undefined,
    ])
  })

  it('twice, however long ago its process ended', () => {
    put({ pid: DEAD }, { ageMs: 60 * MINUTE_MS })
    const [first, second] = [directory(), directory({ pid: ALIVE })]
    expect([first.claim(all, NOW)?.size, second.claim(all, NOW)]).toEqual([5, undefined])
  })

  it('if another process is faster, and then the next file is', () => {
    put({ pid: DEAD }, { text: 'first' })
    put({ pid: DEAD, thread: 1 }, { text: 'the second' })
    const others = directory({ pid: ALIVE })
    let isFirst = true
    const found = directory().claim(() => {
      if (isFirst) others.claim(all, NOW)
      isFirst = false
      return true
    }, NOW)
    expect(found).toMatchObject({ size: 10 })
  })

  it('if it is not a spool file', () => {
    for (const name of ['notes.txt', 'ab12-1-0-1-0.opened', 'x-ab12-1-0-1-0.left', 'ab12-1-0-1.left', '.left']) {
      fs.writeFileSync(join(folder, name), 'of somebody else')
    }
    fs.mkdirSync(join(folder, 'ab12-1-0-1-0.left'))
    const before = files()
    expect([directory().claim(all, NOW), files()]).toEqual([undefined, before])
  })

  it.each<readonly [string, RegExp, (path: string) => void]>([
    ['a pipe', /is not a regular file: remove it/, (path) => void spawnSync('mkfifo', [path])],
    ['a folder', /is not a regular file: remove it/, (path) => fs.mkdirSync(path)],
    ['a link', /is a symbolic link, which is not followed/, (path) => fs.symlinkSync(ELSEWHERE, path)],
    ['a dangling link', /is a symbolic link, which is not followed/, (path) => fs.symlinkSync('missing', path)],
    ['another name of a file', /is a hard link of another file/, (path) => second(path)],
    ['a file that others can write to', /can be written by other users/, (path) => open(path)],
    ['longer than what a process writes', /is longer than 67108864 bytes/, (path) => sparse(path)],
  ])('if it is %s, nor removed, nor counted, nor waited for, and that is said once', (_, line, make) => {
    const path = join(folder, 'ab12-1-0-1-0.left')
    make(path)
    const [before, size] = [fs.lstatSync(path), directory().size()]
    const spool = directory()
    for (const now of [NOW, NOW + 1_000_000 * MINUTE_MS]) {
      expect([spool.claim(all, now), spool.expire(1_000, () => false, now), size]).toEqual([undefined, 0, size])
    }
    expect({ ...fs.lstatSync(path), atimeMs: 0, atime: 0 }).toEqual({ ...before, atimeMs: 0, atime: 0 })
    expect(log.lines()).toEqual([expect.stringMatching(line)])
  })
})

describe('a spool file that was not taken over', () => {
  const none = () => false

  it('is kept if the caller wants it after all', () => {
    put({ host: 'cd34' }, { ageMs: 3 * 60 * MINUTE_MS })
    expect([directory().expire(2 * 60 * MINUTE_MS, all, NOW), files().length]).toEqual([0, 1])
  })

  it('is removed if it is too old, whichever process wrote it', () => {
    put({ host: 'cd34' }, { ageMs: 3 * 60 * MINUTE_MS })
    const young = put({ host: 'cd34', pid: DEAD }, { ageMs: 60 * MINUTE_MS })
    expect([directory().expire(2 * 60 * MINUTE_MS, none, NOW), files()]).toEqual([1, [young.slice(folder.length + 1)]])
  })

  it('is not removed, however short the maximum age, while its process may run', () => {
    put({ host: 'cd34' }, { ageMs: 9 * MINUTE_MS })
    expect([directory().expire(1_000, none, NOW), files().length]).toEqual([0, 1])
  })
})

it('two pipelines of a thread have separate spool files', () => {
  expect(directory().newPath()).not.toBe(directory().newPath())
})

describe('files in the spool directory', () => {
  it('are counted in bytes, whichever process wrote them, and other files are not', () => {
    put({}, { text: 'mine' })
    put({ host: 'cd34' }, { text: 'of others' })
    fs.writeFileSync(join(folder, 'notes.txt'), 'of somebody else')
    expect(directory().size()).toBe(13)
  })

  it('are removed one by one', () => {
    const [first, second] = [put(), put({ thread: 1 })]
    const spool = directory()
    spool.remove(first)
    spool.remove(first)
    expect(files()).toEqual([second.slice(folder.length + 1)])
  })
})
