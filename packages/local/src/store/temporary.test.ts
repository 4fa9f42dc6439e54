import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { call } from '../../test/support/api.ts'
import { JSON_TYPE, span } from '../../test/support/large-database.ts'
import { startLocal } from '../index.ts'

// Everything temporary is in a folder of its own.
const before = process.env.TMPDIR
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-local-temporary-'))
  process.env.TMPDIR = folder
})
afterEach(() => {
  process.env.TMPDIR = before
  if (before === undefined) delete process.env.TMPDIR
  rmSync(folder, { recursive: true, force: true })
})

it('without a file of the user the data are in a temporary one, for its owner only, until the service closes', async () => {
  const local = await startLocal()
  await call(local, 'POST /otel/v1/traces', span('1'), JSON_TYPE)
  const [own = ''] = readdirSync(folder)
  expect(statSync(join(folder, own)).mode & 0o777).toBe(0o700)
  expect(readdirSync(join(folder, own)).sort()).toEqual(['traces.db', 'traces.db-shm', 'traces.db-wal'])
  expect(statSync(join(folder, own, 'traces.db')).mode & 0o777).toBe(0o600)
  expect(local.count()).toBe(1)
  await local.close()
  expect(readdirSync(folder)).toEqual([])
})

it('two services have data of their own, and one that cannot start leaves none', async () => {
  const one = await startLocal()
  const other = await startLocal()
  await call(one, 'POST /otel/v1/traces', span('1'), JSON_TYPE)
  expect([one.count(), other.count()]).toEqual([1, 0])
  await expect(startLocal({ port: Number(new URL(one.url).port) })).rejects.toThrow('the port is in use')
  expect(readdirSync(folder)).toHaveLength(2)
  await Promise.all([one.close(), other.close()])
  expect(readdirSync(folder)).toEqual([])
})

it('what a killed process left goes at the next start; of living ones and of other machines nothing', async () => {
  const kept = [
    `svc-local-${hostname()}-${process.ppid}-abcdef`,
    'svc-local-elsewhere-999999999-abcdef',
    'svc-local-notes',
  ]
  const left = `svc-local-${hostname()}-999999999-abcdef`
  for (const name of [...kept, left]) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'traces.db'), '')
  }
  const local = await startLocal()
  expect(existsSync(join(folder, left))).toBe(false)
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(kept))
  await local.close()
  expect(readdirSync(folder).sort()).toEqual(kept.sort())
})

it('what other users can write to, or have linked, is not removed', async () => {
  const [open, link] = ['abcdef', 'ghijkl'].map((end) => `svc-local-${hostname()}-999999999-${end}`) as [string, string]
  mkdirSync(join(folder, open))
  chmodSync(join(folder, open), 0o777)
  mkdirSync(join(folder, 'elsewhere'))
  symlinkSync(join(folder, 'elsewhere'), join(folder, link))
  const local = await startLocal()
  await local.close()
  expect(readdirSync(folder).sort()).toEqual(['elsewhere', open, link].sort())
})

it('where no folder can be created, the data are in memory', async () => {
  process.env.TMPDIR = join(folder, 'none')
  const local = await startLocal()
  await call(local, 'POST /otel/v1/traces', span('1'), JSON_TYPE)
  expect((await call(local, 'GET /v2/observations')).body.data).toHaveLength(1)
  await local.close()
  expect(readdirSync(folder)).toEqual([])
})
