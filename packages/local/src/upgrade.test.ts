import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, it, vi } from 'vitest'
import { call } from '../test/support/api.ts'
import { JSON_TYPE, large, MANY, span } from '../test/support/large-database.ts'
import { startLocal } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-local-upgrade-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Milliseconds that a test may take on a busy machine. */
const BUSY = 120_000
const INDEXES = "SELECT name FROM sqlite_schema WHERE type = 'index' AND name NOT LIKE 'sqlite_%' ORDER BY name"
const namesIn = (database: DatabaseSync) =>
  database
    .prepare(INDEXES)
    .all()
    .map(({ name }) => String(name))

it(
  'a large database gets the indexes that it lacks while the service takes spans in, and one line says so',
  async () => {
    const { db, other } = await large(folder, 'indexes')
    const names = namesIn(other)
    expect(names).toContain('by_sessionId')
    for (const name of names) other.exec(`DROP INDEX ${name}`)
    const info = vi.spyOn(console, 'info').mockReturnValue()
    const local = await startLocal({ db })
    expect(info.mock.calls.map(String)).toEqual([expect.stringContaining(`gets ${names.length} indexes that it lacks`)])
    info.mockRestore()
    expect((await call(local, 'POST /otel/v1/traces', span('2'), JSON_TYPE)).status).toBe(200)
    expect((await call(local, 'GET /v2/observations?limit=1')).status).toBe(200)
    await vi.waitFor(() => expect(namesIn(other)).toEqual(names), { timeout: 100_000 })
    expect(local.count()).toBe(MANY + 1)
    other.close()
    await local.close()
  },
  BUSY,
)

it(
  'an upgrade waits for a database lock of another connection without blocking requests',
  async () => {
    const { db, other } = await large(folder, 'locked')
    const local = await startLocal({ db })
    other.exec('BEGIN IMMEDIATE')
    const order: string[] = []
    const written = call(local, 'POST /otel/v1/traces', span('2'), JSON_TYPE).then(({ status }) =>
      order.push(`write ${status}`),
    )
    for (let read = 0; read < 3; read += 1) {
      order.push(`read ${(await call(local, 'GET /projects')).status}`)
    }
    other.exec('COMMIT')
    await written
    expect(order).toEqual(['read 200', 'read 200', 'read 200', 'write 200'])
    other.close()
    await local.close()
  },
  BUSY,
)

it(
  'a large database without a list of traces gets it while the service runs',
  async () => {
    const { db, other } = await large(folder, 'list')
    other.exec('DELETE FROM traces; PRAGMA user_version = 2')
    // Deleting a trace has deleted its observation: the others have no trace.
    const traces = Number(other.prepare('SELECT count(DISTINCT traceId) AS n FROM observations').get()?.n)
    const local = await startLocal({ db })
    expect((await call(local, 'POST /otel/v1/traces', span('2'), JSON_TYPE)).status).toBe(200)
    const version = () => other.prepare('PRAGMA user_version').get()?.user_version
    await vi.waitFor(() => expect(version()).toBe(3), { timeout: 100_000 })
    expect(other.prepare('SELECT count(*) AS n FROM traces').get()?.n).toBe(traces + 1)
    other.close()
    await local.close()
  },
  BUSY,
)
