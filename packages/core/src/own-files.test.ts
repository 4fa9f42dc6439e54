import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkOwnFile, openOwnFile, ownFolder } from './own-files.ts'

let folder: string
beforeEach(() => {
  be(0)
  folder = fs.mkdtempSync(join(tmpdir(), 'svc-own-'))
})
afterEach(() => {
  vi.restoreAllMocks()
  fs.rmSync(folder, { recursive: true, force: true })
})

/** Who runs this, in the eyes of the code. */
function be(uid: number | undefined, gid = uid): void {
  vi.spyOn(process as { geteuid(): unknown }, 'geteuid').mockReturnValue(uid)
  vi.spyOn(process as { getegid(): unknown }, 'getegid').mockReturnValue(gid)
}

/** A file system in which these paths have another owner or mode; everything else is of user 0. */
function disk(others: Readonly<Record<string, { uid?: number; gid?: number; mode?: number }>> = {}): typeof fs {
  const changed = (read: typeof fs.statSync) => (path: string) => {
    const stats = read(path)
    return Object.assign(stats, { uid: 0, gid: 0, mode: stats.mode }, others[path])
  }
  return { ...fs, statSync: changed(fs.statSync), lstatSync: changed(fs.lstatSync as never) } as unknown as typeof fs
}

const FOLDER = 0o040000

describe('a folder is ours', () => {
  it('if it and all above it belong to us or to root', () => {
    expect(ownFolder(disk(), folder)).toBe(fs.realpathSync(folder))
    be(7)
    expect(ownFolder(disk({ [folder]: { uid: 7 }, [tmpdir()]: { uid: 7 } }), folder)).toBe(fs.realpathSync(folder))
  })

  it('if the group that may write to it is of our user alone', () => {
    be(7)
    const mode = FOLDER | 0o775
    expect(ownFolder(disk({ [folder]: { uid: 7, gid: 7, mode } }), folder)).toBe(fs.realpathSync(folder))
    expect(() => ownFolder(disk({ [folder]: { uid: 7, gid: 8, mode } }), folder)).toThrow(/other users \(mode 0775\)/)
    be(7, 8)
    expect(() => ownFolder(disk({ [folder]: { uid: 7, gid: 7, mode } }), folder)).toThrow(/other users \(mode 0775\)/)
    be(0)
    expect(() => ownFolder(disk({ [folder]: { mode } }), folder)).toThrow(/other users \(mode 0775\)/)
  })

  it('wherever there are no owners, as on Windows', () => {
    be(undefined)
    expect(ownFolder(disk({ [folder]: { uid: 7, mode: FOLDER | 0o777 } }), folder)).toBe(fs.realpathSync(folder))
  })

  it('if what is above it may not be looked at', () => {
    const denied = (path: string) => {
      if (path !== folder) throw Object.assign(new Error('no'), { code: 'ERR_ACCESS_DENIED' })
      return fs.statSync(path)
    }
    const limited = { ...disk(), statSync: denied, realpathSync: denied } as unknown as typeof fs
    expect(ownFolder(limited, folder)).toBe(folder)
  })
})

describe('a folder is not ours', () => {
  it('if it belongs to another user, or one above it does', () => {
    expect(() => ownFolder(disk({ [folder]: { uid: 7 } }), folder)).toThrow(
      `${folder} belongs to user 7, not to 0: change its owner (chown), or name another place`,
    )
    expect(() => ownFolder(disk({ [tmpdir()]: { uid: 7 } }), folder)).toThrow(`${tmpdir()} belongs to user 7`)
    be(7)
    expect(() => ownFolder(disk(), folder)).toThrow(`${folder} belongs to user 0, not to 7`)
  })
})

describe('a file is ours', () => {
  const file = () => join(folder, 'file')
  beforeEach(() => fs.writeFileSync(file(), 'text'))

  it('if it is a regular one of our user, which is opened', () => {
    const descriptor = openOwnFile(disk(), file(), 4)
    expect(fs.readFileSync(descriptor, 'utf8')).toBe('text')
    fs.closeSync(descriptor)
  })

  it('not if it is longer, of another user, or has another name', () => {
    expect(() => openOwnFile(disk(), file(), 3)).toThrow(`${file()} is longer than 3 bytes`)
    expect(() => openOwnFile(disk({ [file()]: { uid: 7 } }), file(), 4)).toThrow(`${file()} belongs to user 7`)
    fs.linkSync(file(), join(folder, 'second'))
    expect(() => openOwnFile(disk(), file(), 4)).toThrow(`${file()} is a hard link of another file`)
    be(undefined)
    checkOwnFile(file(), fs.lstatSync(file()))
  })

  it('not if another one took its place between the look and the opening', () => {
    fs.writeFileSync(join(folder, 'other'), 'long text')
    const swapped = { ...disk(), openSync: (_: string, flags: number) => fs.openSync(join(folder, 'other'), flags) }
    expect(() => openOwnFile(swapped as typeof fs, file(), 4)).toThrow(`${file()} is longer than 4 bytes`)
    const linked = disk()
    fs.symlinkSync('file', join(folder, 'link'))
    const late = { ...linked, lstatSync: fs.statSync } as unknown as typeof fs
    expect(() => openOwnFile(late, join(folder, 'link'), 4)).toThrow('ELOOP')
  })
})
