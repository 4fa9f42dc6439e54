import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { basic, ENCODERS, post, record } from '../test/support/sdk.ts'
import { type LocalOptions, type LocalService, startLocal } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-local-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const running: LocalService[] = []
afterEach(() => Promise.all(running.splice(0).map((local) => local.close())))

async function start(options?: LocalOptions): Promise<LocalService> {
  const local = await startLocal(options)
  running.push(local)
  return local
}

const [{ encode }] = ENCODERS
const spans = (...names: string[]) => encode(record((open) => names.map((name) => open(name).end())))

it('startLocal returns its URL, keys and environment variables', async () => {
  const local = await start()
  expect(local).toMatchObject({ publicKey: 'pk-svc-local', secretKey: 'sk-svc-local' })
  expect(local.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(local.env).toEqual({
    SVC_PUBLIC_KEY: 'pk-svc-local',
    SVC_SECRET_KEY: 'sk-svc-local',
    SVC_BASE_URL: local.url,
  })
})

it.each([
  ['::1', /^http:\/\/\[::1\]:\d+$/],
  ['0.0.0.0', /^http:\/\/127\.0\.0\.1:\d+$/],
])('the URL of a service on %s can be connected to', async (host, url) => {
  const local = await start({ host })
  expect(local.url).toMatch(url)
  expect((await fetch(`${local.url}/api/public/health`)).status).toBe(200)
})

it('the local service returns traces, observations, spans and their number', async () => {
  const local = await start()
  await post(local, spans('first', 'second'))
  expect(local.traces().map(({ name }) => name)).toEqual(['first', 'second'])
  expect(local.observations().map(({ name }) => name)).toEqual(['first', 'second'])
  expect(local.observations(({ name }) => name === 'second')).toHaveLength(1)
  expect(local.spans()).toMatchObject([
    { name: 'first', scope: { name: 'my-tracer', version: '1.2.3' }, resource: { attributes: expect.any(Object) } },
    { name: 'second' },
  ])
  expect(local.count()).toBe(2)
})

it('the local service keeps the requests at the intake, refused ones too', async () => {
  const local = await start()
  const body = spans('one')
  await post(local, gzipSync(body), { 'content-encoding': 'gzip', 'x-svc-sdk-name': 'javascript' })
  await post(local, body, { authorization: basic('pk', 'wrong') })
  await fetch(`${local.url}/api/public/health`)
  expect(local.requests()).toMatchObject([
    {
      method: 'POST',
      path: '/api/public/otel/v1/traces',
      headers: { 'x-svc-sdk-name': 'javascript', authorization: basic('pk-svc-local', 'sk-svc-local') },
      contentType: 'application/x-protobuf',
      contentEncoding: 'gzip',
      decodedBytes: body.length,
      status: 200,
    },
    { contentEncoding: undefined, decodedBytes: 0, status: 401 },
  ])
})

it('waiting resolves when the expected data arrives', async () => {
  const local = await start()
  const waiting = local.waitForTrace(({ name }) => name === 'second')
  await post(local, spans('first'))
  await post(local, spans('second'))
  expect(await waiting).toMatchObject({ name: 'second', observations: [{ name: 'second' }] })
  expect(await local.waitForTrace()).toMatchObject({ name: 'first' })
})

it('a wait is woken by refused requests as well', async () => {
  const local = await start()
  const refused = local.waitFor(({ requests }) => requests().find(({ status }) => status === 401))
  await post(local, '', { authorization: 'Basic wrong' })
  expect(await refused).toMatchObject({ status: 401 })
})

it('a wait that is over does not check again', async () => {
  const local = await start()
  let looks = 0
  await local
    .waitFor(
      () => {
        looks += 1
        return looks === 2
      },
      { timeoutMs: 1 },
    )
    .catch(() => {})
  await post(local, spans('later'))
  expect(looks).toBe(1)
})

it('a wait ends at its timeout, with an error of its check, and when the service closes', async () => {
  const local = await start()
  await expect(local.waitForTrace(undefined, { timeoutMs: 1 })).rejects.toThrow('waited 1 ms')
  const failing = local.waitFor(() => {
    throw new Error('looked badly')
  })
  await expect(failing).rejects.toThrow('looked badly')
  const open = local.waitForTrace()
  await Promise.all([expect(open).rejects.toThrow('the service was closed'), local.close()])
})

it('the local service closes once, with open connections and repeated calls', async () => {
  const local = await start()
  await post(local, spans('one'))
  await Promise.all([local.close(), local.close()])
  await expect(fetch(local.url)).rejects.toThrow()
})

it('a database file keeps the data from one start to the next', async () => {
  const db = join(folder, 'kept.db')
  const first = await start({ db })
  await post(first, spans('kept'))
  await first.close()
  expect((await start({ db })).traces()).toMatchObject([{ name: 'kept' }])
})

it('startLocal reports a port in use in one line', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  await expect(startLocal({ port })).rejects.toThrow(
    `cannot listen on 127.0.0.1, port ${port}: the port is in use, choose another one.`,
  )
  taken.close()
})

it('startLocal reports an invalid port in one line', async () => {
  await expect(startLocal({ port: 70_000 })).rejects.toThrow('port 70000: a port is a number from 0 to 65535.')
})

it('startLocal reports a Node without SQLite in one line with the required version', async () => {
  const builtin = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never)
  await expect(startLocal()).rejects.toThrow(
    `cannot use a temporary database: it needs the SQLite of Node 22.13 or later, and this is Node ${process.versions.node}; your application may stay on it.`,
  )
  builtin.mockRestore()
})
