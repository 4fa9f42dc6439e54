import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { startLocal } from './index.ts'
import { databaseError } from './start-error.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-local-start-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the service does not start, and says why, with', () => {
  it.each([
    [
      'a database that cannot be written',
      join(folder, 'missing', 'folder.db'),
      'it cannot be opened or created, name a file in a folder that is there and that this user may write to',
    ],
    [
      'a folder',
      folder,
      'it cannot be opened or created, name a file in a folder that is there and that this user may write to',
    ],
    ['a file that is no database', import.meta.filename, 'it is no SQLite database, name another file'],
  ])('%s', async (_, db, reason) => {
    await expect(startLocal({ db })).rejects.toThrow(`cannot use the database ${db}: ${reason}.`)
  })

  it('a database that another program holds', async () => {
    const db = join(folder, 'held.db')
    const other = new DatabaseSync(db)
    other.exec('CREATE TABLE held (one); BEGIN EXCLUSIVE')
    const reason = 'another program holds it, close that program or name another file'
    await expect(startLocal({ db })).rejects.toThrow(`cannot use the database ${db}: ${reason}.`)
    other.close()
  })

  it('a database that this user may not write to', () => {
    const db = join(folder, 'read-only.db')
    new DatabaseSync(db).close()
    // The user may be root, who may write to every file.
    const other = new DatabaseSync(db, { readOnly: true })
    const write = () => {
      try {
        other.exec('CREATE TABLE one (two)')
      } catch (error) {
        throw databaseError(error, db)
      }
    }
    expect(write).toThrow(`cannot use the database ${db}: this user may not write to it, name another file.`)
    other.close()
  })
})
