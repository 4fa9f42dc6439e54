import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ownDatabase } from './own-database.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-local-own-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('a database is named by its real path, so that no link leads elsewhere later', () => {
  mkdirSync(join(folder, 'real'))
  symlinkSync('real', join(folder, 'link'))
  const db = join(folder, 'link', 'traces.db')
  for (const given of [db, relative('.', db)]) expect(ownDatabase(given)).toBe(join(folder, 'real/traces.db'))
})

it('what SQLite says about a folder that is not there is left to it', () => {
  expect(ownDatabase(join(folder, 'none/traces.db'))).toBe(join(folder, 'none/traces.db'))
})

it.each(['', '-wal', '-shm', '-journal'])('a database whose file%s is a link is not used', (ending) => {
  symlinkSync('none', join(folder, `traces.db${ending}`))
  expect(() => ownDatabase(join(folder, 'traces.db'))).toThrow(`traces.db${ending} is a symbolic link`)
})

it('a database that others can write to, or put another one in the place of, is not used', () => {
  const db = join(folder, 'traces.db')
  writeFileSync(db, '')
  chmodSync(db, 0o602)
  expect(() => ownDatabase(db)).toThrow(`${db} can be written by other users (mode 0602)`)
  chmodSync(db, 0o600)
  expect(ownDatabase(db)).toBe(db)
  chmodSync(folder, 0o1777)
  expect(() => ownDatabase(db)).toThrow(`${folder} can be written by other users (mode 1777)`)
})
