import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { call } from '../../test/support/api.ts'
import { otlpJson } from '../../test/support/sdk.ts'
import { type LocalService, startLocal } from '../index.ts'
import { ServiceThread } from './thread.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-local-reads-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const span = (at: number, text = 'x'.repeat(10_000)) => ({
  traceId: 'a'.repeat(32),
  spanId: (at + 1).toString(16).padStart(16, '0'),
  name: `span ${at}`,
  startTimeUnixNano: '1700000000000000000',
  endTimeUnixNano: '1700000001000000000',
  // Few data are read without a thread.
  attributes: [{ key: 'svc.observation.metadata.key', value: { stringValue: JSON.stringify(text) } }],
})
/** One after the other: what is long is stored by a thread. */
async function send(local: LocalService, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    expect((await call(local, 'POST /otel/v1/traces', otlpJson([span(at)]))).status).toBe(200)
  }
}

it('reads that come together are answered on one thread', async () => {
  let threads = 0
  const count = () => {
    threads += 1
  }
  process.on('worker', count)
  const local = await startLocal({ db: join(folder, 'kept.db') })
  await send(local, 80)
  const query = JSON.stringify({ view: 'observations', metrics: [{ measure: 'count', aggregation: 'count' }] })
  const paths = [`/v2/metrics?query=${encodeURIComponent(query)}`, '/v2/observations', '/v3/scores']
  const answers = await Promise.all(paths.map((path) => call(local, `GET ${path}` as never)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(threads).toBe(1)
  process.off('worker', count)
  await local.close()
})

it('a read includes all earlier writes, refused requests too', async () => {
  const local = await startLocal({ db: join(folder, 'fresh.db') })
  for (let at = 0; at < 3; at += 1) {
    await call(local, 'POST /scores', { id: `${at}`, name: 'n', value: at, traceId: 't' })
    const { body } = await call(local, 'GET /v3/scores')
    expect(body.data).toHaveLength(at + 1)
  }
  expect(await call(local, 'GET /v3/scores?limit=0')).toMatchObject({ status: 400 })
  expect((await call(local, 'HEAD /v3/scores?limit=1' as never)).status).toBe(200)
  await local.close()
})

it('a read of few data needs no thread', async () => {
  let threads = 0
  const count = () => {
    threads += 1
  }
  process.on('worker', count)
  const local = await startLocal()
  await send(local, 2)
  expect((await call(local, 'GET /v2/observations')).body.data).toHaveLength(2)
  expect(threads).toBe(0)
  await send(local, 80)
  expect((await call(local, 'GET /v2/observations?limit=100')).body.data).toHaveLength(80)
  expect(threads).toBe(1)
  process.off('worker', count)
  await local.close()
})

it('a service of much data starts the thread of its reads with itself', async () => {
  const db = join(folder, 'much.db')
  const first = await startLocal({ db })
  await send(first, 80)
  await first.close()
  let threads = 0
  const count = () => {
    threads += 1
  }
  process.on('worker', count)
  const local = await startLocal({ db })
  await call(local, 'GET /projects')
  expect(threads).toBe(1)
  process.off('worker', count)
  await local.close()
})

it('a read of a thread that fails is rejected, and the next read starts another thread until it is closed', async () => {
  const thread = new ServiceThread({ file: join(folder, 'none', 'none.db'), keys: { publicKey: 'p', secretKey: 's' } })
  const read = () =>
    thread.answer({ method: 'GET', path: '/api/public/v3/scores', query: new URLSearchParams(), headers: {} })
  await expect(read()).rejects.toThrow('the thread of this request has ended')
  await expect(read()).rejects.toThrow('the thread of this request has ended')
  await thread.close()
  const starts = vi.fn()
  process.on('worker', starts)
  await expect(read()).rejects.toThrow('the thread of this request has ended')
  process.off('worker', starts)
  expect(starts).not.toHaveBeenCalled()
})
