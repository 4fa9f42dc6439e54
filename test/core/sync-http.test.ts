import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { BODY_LIMIT } from '@svc/core/http-exchange'
import { DIRECT, type Transport } from '@svc/core/transport'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type SyncHttp, syncHttp } from '../../packages/core/src/sync-http.ts'
import { makeCertificate } from '../../packages/core/test/support/certificate.ts'
import { startProxy } from '../../packages/core/test/support/proxy.ts'
import { startRawServer } from '../../packages/core/test/support/raw-server.ts'
import { type Reply, startServer } from '../../packages/core/test/support/server.ts'
import { run } from './run.ts'

interface Request {
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly timeoutMs?: number
}

/** What the program in `processes/` says of an outcome. */
interface Outcome {
  readonly id: number
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly complete?: boolean
  readonly error?: string
  readonly code?: string
  readonly message?: string
}

/** In a process of its own: the servers here could not answer a thread that waits for them. */
let sender: ChildProcess
beforeAll(() => {
  const program = fileURLToPath(new URL('processes/sends-sync.mjs', import.meta.url))
  sender = fork(program, { env: {}, execArgv: [] })
})
afterAll(() => void sender.kill())

async function sendAll(requests: Request[], transport: Partial<Transport> = {}, oneByOne = false) {
  sender.send({ requests, transport, oneByOne })
  const [outcomes] = (await once(sender, 'message')) as [Outcome[]]
  return outcomes.toSorted((a, b) => a.id - b.id)
}

async function send(request: Request, transport?: Partial<Transport>) {
  const [outcome] = await sendAll([request], transport)
  return outcome
}

/** Sends one request in a process that is started like this. */
async function sendUnder(options: NonNullable<Parameters<typeof run>[2]>, url: string, transport = {}) {
  const work = JSON.stringify({ requests: [{ url }], transport })
  const { stdout, stderr, code } = await run('sends-sync.mjs', [work], options)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

const certificate = makeCertificate('DNS:svc.test', 'IP:127.0.0.1')

const by = (proxy: string): Partial<Transport> => ({ proxy: { httpProxy: proxy, httpsProxy: proxy, noProxy: [] } })

describe('a synchronous HTTP request', () => {
  it('arrives with method, path, headers and body, and the length of the body', async () => {
    await using server = await startServer()
    await send({ url: `${server.url}/path?x=1`, method: 'PATCH', headers: { 'x-own': 'yes' }, body: 'grün' })
    expect(server.requests).toMatchObject([
      { method: 'PATCH', path: '/path?x=1', body: 'grün', headers: { 'x-own': 'yes', 'content-length': '5' } },
    ])
  })

  it('is not delayed by one that waits for its response', async () => {
    const late: (() => void)[] = []
    await using server = await startServer((response, { path }) => {
      late.push(() => response.end(path))
      if (late.length === 3) for (const answer of late) answer()
    })
    const outcomes = await sendAll(['/0', '/1', '/2'].map((path) => ({ url: server.url + path })))
    expect(outcomes).toMatchObject([{ body: '/0' }, { body: '/1' }, { body: '/2' }])
  })
})

it('the next synchronous request reuses the connection', async () => {
  await using server = await startServer()
  const { url } = server
  await sendAll([{ url }, { url }, { url }], {}, true)
  expect(server.requests).toHaveLength(3)
  expect(new Set(server.requests.map(({ port }) => port)).size).toBe(1)
})

describe('a response', () => {
  it('has status, the headers that are read, and body', async () => {
    const date = 'Fri, 01 May 2026 12:00:00 GMT'
    const headers = { 'content-type': 'text/plain', 'retry-after': '7', location: '/there', date }
    await using server = await startServer((response) => {
      response.writeHead(503, { ...headers, 'x-other': 'not kept' }).end('hello')
    })
    expect(await send({ url: server.url })).toEqual({ id: 0, status: 503, headers, body: 'hello', complete: true })
  })

  it.each<[what: string, reply: Reply, outcome: object]>([
    [
      'a redirect is not followed',
      (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
      { status: 307, headers: { location: 'http://127.0.0.1:1/' }, complete: true },
    ],
    [
      'an empty body is a whole one',
      (response) => response.writeHead(204).end(),
      { status: 204, body: '', complete: true },
    ],
    [
      'a body as long as may be is a whole one',
      (response) => response.end('x'.repeat(BODY_LIMIT)),
      { body: 'x'.repeat(BODY_LIMIT), complete: true },
    ],
    [
      'of a longer body there is the beginning',
      (response) => response.end('x'.repeat(BODY_LIMIT + 1)),
      { status: 200, body: 'x'.repeat(BODY_LIMIT), complete: false },
    ],
    [
      'of an endless body, too',
      (response) => {
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(100_000)));
        }
        response.writeHead(200).on('drain', more)
        more()
      },
      { status: 200, body: 'x'.repeat(BODY_LIMIT), complete: false },
    ],
    [
      'of a body that breaks off there is what came',
      (response) => void response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy()),
      { status: 200, body: 'half', complete: false },
    ],
  ])('%s', async (_what, reply, outcome) => {
    await using server = await startServer(reply)
    expect(await send({ url: server.url })).toMatchObject(outcome)
  })
})

it('a response whose connection is reset keeps its status', async () => {
  await using server = await startRawServer((socket) =>
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', () =>
        setImmediate(() => socket.resetAndDestroy()),
      )
    }),
  )
  expect(await send({ url: server.url })).toMatchObject({ status: 200, complete: false })
})

describe('a missing response', () => {
  it('from a closed port is an error with the code of the system', async () => {
    expect(await send({ url: 'http://127.0.0.1:1' })).toMatchObject({
      error: 'Error',
      code: 'ECONNREFUSED',
      message: expect.stringContaining('127.0.0.1:1'),
    })
  })

  it('within the time of the request is a NoResponseError', async () => {
    await using server = await startRawServer(() => {})
    expect(await send({ url: server.url, timeoutMs: 50 })).toMatchObject({
      error: 'NoResponseError',
      message: 'no answer within 0.05 s',
    })
  })

  it.each<[what: string, answer: string]>([
    ['hangs up', ''],
    ['does not speak HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['breaks off in its headers', 'HTTP/1.1 200 OK\r\ncontent-'],
  ])('from a server that %s is an error, and the next request is sent all the same', async (_what, answer) => {
    await using broken = await startRawServer((socket) => socket.once('data', () => socket.end(answer)))
    await using server = await startServer()
    expect(await sendAll([{ url: broken.url }, { url: server.url }])).toMatchObject([
      { error: 'Error' },
      { status: 200 },
    ])
  })

  it('is the result of a header that cannot be sent', async () => {
    const bad = await send({ url: 'http://127.0.0.1:1', headers: { 'x-own': 'a\nb' } })
    const good = await send({ url: 'http://127.0.0.1:1' })
    expect([bad?.code, good?.code]).toEqual(['ERR_INVALID_CHAR', 'ECONNREFUSED'])
  })
})

describe('an https request', () => {
  const tls = (origin: string) => ({ origin, ca: certificate.cert })

  it('trusts the certificate of the service, and only for the service', async () => {
    await using service = await startServer(undefined, certificate)
    await using storage = await startServer(undefined, certificate)
    expect(await sendAll([{ url: service.url }, { url: storage.url }], { tls: tls(service.url) })).toMatchObject([
      { status: 200, body: 'hello' },
      { error: 'Error', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    ])
  })

  it('trusts any certificate where Node does', async () => {
    await using server = await startServer(undefined, certificate)
    expect(await send({ url: server.url }, { rejectUnauthorized: false })).toMatchObject({ status: 200 })
  })

  it('trusts the certificates of NODE_EXTRA_CA_CERTS', async () => {
    await using server = await startServer(undefined, certificate)
    const env = { NODE_EXTRA_CA_CERTS: certificate.certFile }
    expect(await sendUnder({ env }, server.url)).toMatchObject([{ status: 200 }])
  })

  it('trusts the certificates of the system where Node does', async () => {
    await using server = await startServer(undefined, certificate)
    const options = { flags: ['--use-system-ca'], env: { SSL_CERT_FILE: certificate.certFile } }
    expect(await sendUnder(options, server.url)).toMatchObject([{ status: 200 }])
  })

  it('shows the client certificate', async () => {
    const { cert, key } = certificate
    await using server = await startServer(undefined, { ...certificate, requestCert: true, ca: cert })
    expect(await send({ url: server.url }, { tls: { ...tls(server.url), cert, key } })).toMatchObject({ status: 200 })
    expect(await send({ url: server.url }, { tls: tls(server.url) })).toMatchObject({ error: 'Error' })
  })
})

describe('a synchronous request by way of a proxy', () => {
  it('over http has the absolute URL and the proxy credentials', async () => {
    await using server = await startServer()
    await using proxy = await startProxy({ to: server.port })
    const url = 'http://svc.test:8080/path?x=1'
    expect(await send({ url }, by(proxy.url('us%40er:secret')))).toMatchObject({ status: 200, body: 'hello' })
    const authorization = `Basic ${btoa('us@er:secret')}`
    expect(proxy.requests).toMatchObject([
      { method: 'POST', target: url, headers: { host: 'svc.test:8080', 'proxy-authorization': authorization } },
    ])
    expect(proxy.requests[0]?.headers.authorization).toBeUndefined()
    expect(server.requests).toMatchObject([{ path: '/path?x=1', body: 'body' }])
  })

  it('over https uses a tunnel, in which the service receives nothing of the proxy', async () => {
    await using server = await startServer(undefined, certificate)
    await using proxy = await startProxy({ to: server.port })
    const transport = { ...by(proxy.url('user:secret')), tls: { origin: 'https://svc.test', ca: certificate.cert } }
    expect(await send({ url: 'https://svc.test/path' }, transport)).toMatchObject({ status: 200, body: 'hello' })
    expect(proxy.requests).toMatchObject([
      {
        method: 'CONNECT',
        target: 'svc.test:443',
        headers: { host: 'svc.test:443', 'proxy-authorization': `Basic ${btoa('user:secret')}` },
      },
    ])
    expect(server.requests).toMatchObject([{ path: '/path', body: 'body', headers: { host: 'svc.test' } }])
    expect(server.requests[0]?.headers['proxy-authorization']).toBeUndefined()
  })

  it('reuses the tunnel', async () => {
    await using server = await startServer(undefined, certificate)
    await using proxy = await startProxy({ to: server.port })
    const url = 'https://svc.test/'
    const transport = { ...by(proxy.url()), tls: { origin: 'https://svc.test', ca: certificate.cert } }
    await sendAll([{ url }, { url }, { url }], transport, true)
    expect(server.requests).toHaveLength(3)
    expect(proxy.requests).toHaveLength(1)
  })

  it.each([407, 502])(
    'rejects with a clear message without the password if the proxy responds with %d',
    async (status) => {
      await using proxy = await startProxy({ to: 1, tunnelStatus: status })
      const outcome = await send({ url: 'https://svc.test/' }, by(proxy.url('user:secret')))
      expect(outcome).toMatchObject({ error: 'Error', message: `the proxy 127.0.0.1:${proxy.port} answered ${status}` })
    },
  )

  it('rejects if the client certificate is invalid', async () => {
    await using server = await startServer(undefined, certificate)
    await using proxy = await startProxy({ to: server.port })
    const tls = { origin: 'https://svc.test', cert: 'no PEM', key: 'no PEM' }
    const outcome = await send({ url: 'https://svc.test/' }, { ...by(proxy.url()), tls })
    expect(outcome).toMatchObject({ error: 'Error', message: expect.stringMatching(/PEM/) })
  })

  // Not checked against the name of the service, which the `host` header has.
  it.each(['http://svc.test/', 'https://svc.test/'])('works over TLS: %s', async (url) => {
    const proxyCertificate = makeCertificate('IP:127.0.0.1')
    await using server = await startServer(undefined, url.startsWith('https') ? certificate : undefined)
    await using proxy = await startProxy({ to: server.port, tls: proxyCertificate })
    const transport = { ...by(proxy.url()), tls: { origin: 'https://svc.test', ca: certificate.cert } }
    const env = { NODE_EXTRA_CA_CERTS: proxyCertificate.certFile }
    expect(await sendUnder({ env }, url, transport)).toMatchObject([{ status: 200, body: 'hello' }])
  })

  it('reaches loopback directly', async () => {
    await using server = await startServer()
    await using proxy = await startProxy({ to: server.port })
    expect(await send({ url: server.url }, by(proxy.url()))).toMatchObject({ status: 200 })
    expect(proxy.requests).toEqual([])
  })
})

describe('waiting for a response synchronously', () => {
  it('returns nothing when the time is over', async () => {
    await using server = await startRawServer(() => {})
    const http = syncHttp() as SyncHttp
    http.send(1, { method: 'POST', url: server.url, headers: {}, body: new Uint8Array(1), timeoutMs: 20_000 }, DIRECT)
    const started = performance.now()
    expect(http.receive(50)).toEqual([])
    expect(performance.now() - started).toBeGreaterThan(45)
    http.close()
  })

  it('returns all responses that arrived, and can wait again', () => {
    const http = syncHttp() as SyncHttp
    const refused = { method: 'POST', url: 'http://127.0.0.1:1', headers: {}, timeoutMs: 20_000 } as const
    for (const id of [1, 2, 3]) http.send(id, { ...refused, body: new Uint8Array(1) }, DIRECT)
    const ids: number[] = []
    while (ids.length < 3) ids.push(...http.receive(20_000).map(({ id }) => id))
    expect(ids.toSorted()).toEqual([1, 2, 3])
    const started = performance.now()
    // What came may be there before it is announced: the first wait may end at once, and no later one.
    expect([...http.receive(50), ...http.receive(50)]).toEqual([])
    expect(performance.now() - started).toBeGreaterThan(45)
    http.close()
  })
})

describe('the worker for synchronous requests', () => {
  const preload = ['--require', fileURLToPath(new URL('./processes/preload.cjs', import.meta.url))]

  it.each([
    ['NODE_OPTIONS', { env: { NODE_OPTIONS: preload.map((word) => JSON.stringify(word)).join(' ') } }],
    ['the command line', { flags: preload }],
  ])('runs no preload of %s', async (_, options) => {
    await using server = await startServer()
    const { stdout } = await run('sends-sync.mjs', [JSON.stringify({ requests: [{ url: server.url }] })], options)
    expect(server.requests).toHaveLength(1)
    expect(stdout.split('\n').filter((line) => line.startsWith('preload'))).toEqual(['preload in the main thread'])
  })

  it('is not started if the permission model forbids workers', async () => {
    const flags = ['--permission', '--allow-fs-read=*']
    expect(await run('sends-sync.mjs', ['{"requests":[]}'], { flags })).toMatchObject({
      code: 0,
      stdout: '"no worker"',
    })
    flags.push('--allow-worker')
    expect(await run('sends-sync.mjs', ['{"requests":[]}'], { flags })).toMatchObject({ code: 0, stdout: '[]' })
  })

  it('is not started if the runtime has no threads', () => {
    const get = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never)
    expect(syncHttp()).toBeUndefined()
    get.mockRestore()
  })
})
