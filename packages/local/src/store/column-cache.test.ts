import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, it } from 'vitest'
import { large, MANY } from '../../test/support/large-database.ts'
import { VIEWS } from '../api/metrics/views.ts'
import type { ValueColumn } from './column.ts'
import { ColumnCache, type ColumnSpec } from './column-cache.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-local-columns-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const name: ColumnSpec = { sql: 'name', as: 'values' }
const latency: ColumnSpec = { sql: '(endTime - startTime)', as: 'numbers' }

/** A cache of a database, and the statements that it has prepared since they were taken last. */
function cacheOf(database: DatabaseSync, maxBytes?: number) {
  const prepared: string[] = []
  const prepare = (sql: string) => {
    prepared.push(sql)
    return database.prepare(sql)
  }
  return {
    cache: new ColumnCache({ prepare } as DatabaseSync, 'observations', maxBytes),
    taken: () => prepared.splice(0),
  }
}

it('a column is read once, from an index; afterwards only what changed is read', async () => {
  const { other } = await large(folder, 'once')
  const { cache, taken } = cacheOf(other)
  const reads = () => taken().filter((sql) => sql.startsWith('SELECT json_group_array(seq)'))
  const [names] = cache.read([name])
  expect(reads()).toEqual([expect.not.stringContaining('WHERE')])
  expect(cache.rows).toBe(MANY)
  expect(cache.read([name])[0]).toBe(names)
  expect(reads()).toEqual([])
  cache.read([name, latency])
  expect(reads()).toEqual([expect.not.stringContaining('name')])
  other.exec(
    "UPDATE traces SET change = change + 1; UPDATE observations SET name = 'new' WHERE id = printf('%016d', 1)",
  )
  cache.read([name, latency])
  expect(reads()).toEqual([expect.stringContaining('WHERE seq > ? OR traceId IN')])
  other.close()
})

it('the columns of metrics are all in the index, those that an index lacks are read in steps', async () => {
  const { other } = await large(folder, 'steps')
  const { cache, taken } = cacheOf(other)
  const { measures = {}, columns = {} } = VIEWS.observations ?? {}
  const long = ['input', 'output', 'statusMessage', 'id', 'parentObservationId']
  const dimensions = Object.entries(columns).filter(
    ([field, { kind }]) => ['text', 'number'].includes(kind) && !long.includes(field),
  )
  cache.read(
    [...Object.values(measures), ...dimensions.map(([, column]) => column)].map(({ sql }) => ({ sql, as: 'values' })),
  )
  expect(taken().filter((sql) => sql.includes('WHERE seq >= ?'))).toEqual([])
  cache.read([{ sql: 'input', as: 'values' }])
  expect(taken().filter((sql) => sql.includes('WHERE seq >= ?')).length).toBe(Math.ceil(MANY / 2_000))
  other.close()
})

it('when the older half is gone, its memory is free', async () => {
  const { other } = await large(folder, 'gone')
  const { cache } = cacheOf(other)
  cache.read([name])
  other.exec(`DELETE FROM observations WHERE seq <= ${MANY} * 0.6`)
  cache.read([name])
  expect(cache.rows).toBe(MANY - MANY * 0.6)
  expect(cache.present.reduce((sum, one) => sum + one, 0)).toBe(cache.rows)
  other.close()
})

it('columns that were not used for the longest time go, beyond the memory that they may take', async () => {
  const { other } = await large(folder, 'most')
  const { cache, taken } = cacheOf(other, 2.5 * 8 * MANY * 1.25)
  const loaded = () => taken().filter((sql) => sql.includes('EXPLAIN')).length
  const numbers = (sql: string): ColumnSpec => ({ sql, as: 'numbers' })
  for (const sql of ['startTime', 'endTime', 'startTime', 'promptVersion']) cache.read([numbers(sql)])
  expect(loaded()).toBe(3)
  cache.read([numbers('startTime')])
  expect(loaded()).toBe(0)
  cache.read([numbers('endTime')])
  expect(loaded()).toBe(1)
  other.close()
})

it('after a read that failed everything is read again', async () => {
  const { other } = await large(folder, 'failed')
  let fails = false
  const prepare = (sql: string) => {
    if (fails && sql.includes('json_group_array')) throw new Error('the disk is gone')
    return other.prepare(sql)
  }
  const cache = new ColumnCache({ prepare } as DatabaseSync, 'observations')
  cache.read([name])
  other.exec("INSERT INTO observations (traceId, id, name, span) VALUES ('t', 'i', 'new', '{}')")
  fails = true
  expect(() => cache.read([name])).toThrow('the disk is gone')
  fails = false
  const [names] = cache.read([name]) as [ValueColumn]
  expect(cache.rows).toBe(MANY + 1)
  expect(names.values).toContain('new')
  other.close()
})
