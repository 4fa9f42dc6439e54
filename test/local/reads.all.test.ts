import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LocalService, startLocal } from '@svc/local'
import { afterAll, expect, it } from 'vitest'
import { call } from '../../packages/local/test/support/api.ts'
import { otlpJson } from '../../packages/local/test/support/sdk.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-local-reads-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Spans with much metadata: each condition on a key of it reads all of it. */
const spans = (count: number) =>
  otlpJson(
    Array.from({ length: count }, (_, at) => ({
      traceId: 'a'.repeat(32),
      spanId: (at + 1).toString(16).padStart(16, '0'),
      name: `span ${at}`,
      startTimeUnixNano: '1700000000000000000',
      endTimeUnixNano: '1700000001000000000',
      attributes: Array.from({ length: 500 }, (_, key) => ({
        key: `svc.observation.metadata.key${key}`,
        value: { stringValue: JSON.stringify('x'.repeat(50)) },
      })),
    })),
  )
/** A filter that takes seconds. */
const condition = { type: 'stringObject', column: 'metadata', key: 'key499', operator: 'contains', value: 'x' }
const SLOW = encodeURIComponent(JSON.stringify(Array.from({ length: 20 }, () => condition)))
const send = (local: LocalService, count: number) =>
  call(local, 'POST /otel/v1/traces', spans(count), { 'content-type': 'application/json' })

it.each([
  ['with --db', { db: join(folder, 'slow.db') }],
  ['without --db', {}],
])('the intake responds while a slow read runs (%s)', async (_, options) => {
  const local = await startLocal(options)
  expect((await send(local, 150)).status).toBe(200)
  let open = () => {}
  const until = new Promise<void>((resolve) => {
    open = resolve
  })
  const held = local.respond('GET /api/public/v2/observations', { until })
  const order: string[] = []
  const read = call(local, `GET /v2/observations?filter=${SLOW}`)
  const answered = read.then(({ status }) => order.push(`read ${status}`))
  await held.met
  open()
  for (let sent = 0; sent < 3; sent += 1) {
    const { status } = await send(local, 1)
    order.push(`intake ${status}`)
  }
  await answered
  expect(order).toEqual(['intake 200', 'intake 200', 'intake 200', 'read 200'])
  await local.close()
})
