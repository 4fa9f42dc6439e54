import { copyFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { startLocal } from '../../src/index.ts'
import { call } from './api.ts'
import { otlpJson } from './sdk.ts'

/** A database of many observations, and a connection of another program to it. */
export async function large(folder: string, name: string, count: number) {
  const db = join(folder, `${name}.db`)
  const made = originals.get(count) ?? original(count)
  originals.set(count, made)
  copyFileSync(await made, db)
  return { db, other: connected(db) }
}

/** Databases to copy, by the number of their observations. */
const originals = new Map<number, Promise<string>>()

async function original(count: number): Promise<string> {
  const db = join(mkdtempSync(join(tmpdir(), 'svc-local-large-')), 'original.db')
  const local = await startLocal({ db })
  await call(local, 'POST /otel/v1/traces', span('1'), JSON_TYPE)
  await local.close()
  const other = connected(db)
  const columns = other
    .prepare("SELECT name FROM pragma_table_info('observations')")
    .all()
    .map(({ name }) => String(name))
  const others = columns.filter((column) => !['seq', 'id', 'traceId'].includes(column)).join(', ')
  other.exec(`
    WITH RECURSIVE counter(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM counter WHERE n < ${count})
    INSERT INTO observations (traceId, id, ${others})
    SELECT printf('%032x', n / 10 + 16), printf('%016x', n), ${others} FROM observations, counter`)
  other.close()
  return db
}

function connected(db: string): DatabaseSync {
  const other = new DatabaseSync(db)
  // Whoever holds the lock lets go of it some time.
  other.exec('PRAGMA busy_timeout = 60000')
  return other
}

export const JSON_TYPE = { 'content-type': 'application/json' }
export const span = (digit: string) =>
  otlpJson([
    {
      traceId: digit.repeat(32),
      spanId: digit.repeat(16),
      name: 'span',
      startTimeUnixNano: '1700000000000000000',
      endTimeUnixNano: '1700000001000000000',
    },
  ])
