import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocal } from '@svc/local'
import { afterAll, expect, it } from 'vitest'
import { JSON_TYPE, large, span } from '../../packages/local/test/support/large-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-local-exporter-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const OBSERVATIONS = 100_000

const query = (fields: object) => `query=${encodeURIComponent(JSON.stringify(fields))}`
const filter = (...conditions: object[]) => `filter=${encodeURIComponent(JSON.stringify(conditions))}`
const contains = (column: string) => filter({ type: 'string', column, operator: 'contains', value: 'not there' })
const latency = ['p50', 'p99', 'histogram', 'avg'].map((aggregation) => ({ measure: 'latency', aggregation }))
const dimensions = [{ field: 'name' }, { field: 'type' }]

/** Each of them reads everything that there is. */
const HEAVY = [
  `/api/public/v2/metrics?${query({ view: 'observations', metrics: latency, dimensions })}`,
  `/api/public/v2/metrics?${query({ view: 'observations', metrics: latency, timeDimension: { granularity: 'day' } })}`,
  `/api/public/v2/observations?${contains('input')}`,
  `/api/public/v2/observations?${contains('output')}`,
  '/api/public/v2/observations?limit=1000&fields=core,basic,time,io,metadata,model,usage,prompt,metrics,trace_context',
  '/viewer/traces?search=nothing',
  `/viewer/metrics?${query({ view: 'observations', metrics: [{ measure: 'totalCost', aggregation: 'sum' }], dimensions })}`,
  '/viewer/users',
  '/viewer/sessions',
  '/viewer/choices',
]

it('spans are taken in while the heaviest pages are read', async () => {
  const { db, other } = await large(folder, 'heavy', OBSERVATIONS)
  other.close()
  const local = await startLocal({ db, token: false })
  const authorization = `Basic ${btoa(`${local.publicKey}:${local.secretKey}`)}`
  let reading = true
  const pages = Promise.all(
    HEAVY.map(async (path) => (await fetch(local.url + path, { headers: { authorization } })).status),
  ).finally(() => {
    reading = false
  })
  const exports: number[] = []
  while (reading) {
    const response = await fetch(`${local.url}/api/public/otel/v1/traces`, {
      method: 'POST',
      headers: { authorization, ...JSON_TYPE },
      body: span('2'),
    })
    await response.text()
    exports.push(response.status)
  }
  expect(await pages).toEqual(HEAVY.map(() => 200))
  expect(exports.length).toBeGreaterThan(HEAVY.length)
  expect(exports.filter((status) => status !== 200)).toEqual([])
  await local.close()
}, 120_000)
