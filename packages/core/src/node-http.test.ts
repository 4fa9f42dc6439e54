import { once } from 'node:events'
import type { IncomingMessage, RequestOptions } from 'node:http'
import { text } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeCertificate } from '../test/support/certificate.ts'
import { startProxy } from '../test/support/proxy.ts'
import { startRawServer } from '../test/support/raw-server.ts'
import { startServer } from '../test/support/server.ts'
import { type NodeHttp, nodeHttp } from './node-http.ts'
import { DIRECT, type Transport } from './transport.ts'

const certificate = makeCertificate('DNS:svc.test', 'IP:127.0.0.1')
const proxyCertificate = makeCertificate('IP:127.0.0.1')

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const by = (proxy: string): Transport => ({
  ...DIRECT,
  proxy: { httpProxy: proxy, httpsProxy: proxy, noProxy: [] },
})
const trusting = (origin: string, transport: Transport = DIRECT): Transport => ({
  ...transport,
  tls: { origin, ca: certificate.cert },
})

/** Uses connections until the end of a test, and ends them then. */
function open(transport: Transport = DIRECT) {
  const http = nodeHttp(transport) as NodeHttp
  return { http, [Symbol.dispose]: () => http.close() }
}

async function exchange(http: NodeHttp, url: string, options: RequestOptions = {}) {
  const request = http.open(url, { method: 'POST', ...options })
  request.end('body')
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return { status: response.statusCode, body: await text(response) }
}

const answered = { status: 200, body: 'hello' }

describe('an http request by way of a proxy', () => {
  it('has the absolute URL and the Host header of the service', async () => {
    await using server = await startServer()
    await using proxy = await startProxy({ to: server.port })
    using client = open(by(proxy.url()))
    expect(await exchange(client.http, 'http://svc.test:8080/path?x=1', { headers: { 'x-own': 'yes' } })).toEqual(
      answered,
    )
    expect(proxy.requests).toMatchObject([
      {
        method: 'POST',
        target: 'http://svc.test:8080/path?x=1',
        headers: { host: 'svc.test:8080', 'x-own': 'yes' },
      },
    ])
    expect(proxy.requests[0]?.headers['proxy-authorization']).toBeUndefined()
    expect(server.requests).toMatchObject([{ path: '/path?x=1', body: 'body' }])
  })

  it('sends proxy credentials to the proxy only', async () => {
    await using server = await startServer()
    await using proxy = await startProxy({ to: server.port })
    using client = open(by(proxy.url('us%40er:se%3Acret')))
    await exchange(client.http, 'http://svc.test/')
    await exchange(client.http, 'http://svc.test/', { headers: { authorization: 'Basic own' } })
    const [first, second] = proxy.requests.map(({ headers }) => headers)
    expect(first).toMatchObject({ host: 'svc.test', 'proxy-authorization': `Basic ${btoa('us@er:se:cret')}` })
    expect(first?.authorization).toBeUndefined()
    expect(second?.authorization).toBe('Basic own')
  })

  it('reuses the connection to the proxy for any service', async () => {
    const ports: unknown[] = []
    // As if it had reached the service.
    await using proxy = await startRawServer((socket) => {
      ports.push(socket.remotePort)
      socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello'))
    })
    using client = open(by(proxy.url))
    for (let at = 0; at < 3; at++) await exchange(client.http, `http://svc-${at}.test/`)
    expect(ports).toHaveLength(1)
  })
})

describe('an https request by way of a proxy', () => {
  it('uses a tunnel, in which the service receives nothing of the proxy', async () => {
    await using server = await startServer(undefined, certificate)
    await using proxy = await startProxy({ to: server.port })
    using client = open(trusting('https://svc.test', by(proxy.url('user:secret'))))
    expect(await exchange(client.http, 'https://svc.test/path?x=1')).toEqual(answered)
    expect(proxy.requests).toMatchObject([
      {
        method: 'CONNECT',
        target: 'svc.test:443',
        headers: { host: 'svc.test:443', 'proxy-authorization': `Basic ${btoa('user:secret')}` },
      },
    ])
    const [arrived] = server.requests
    expect(arrived).toMatchObject({ method: 'POST', path: '/path?x=1', body: 'body', headers: { host: 'svc.test' } })
    expect(Object.keys(arrived?.headers ?? {}).filter((name) => name.endsWith('authorization'))).toEqual([])
  })

  it('reuses its tunnel, and opens another one for another service', async () => {
    await using server = await startServer(undefined, certificate)
    await using proxy = await startProxy({ to: server.port })
    using client = open(trusting('https://svc.test', by(proxy.url())))
    for (let at = 0; at < 3; at++) await exchange(client.http, 'https://svc.test/')
    expect(proxy.requests).toHaveLength(1)
    await expect(exchange(client.http, 'https://other.test:8443/')).rejects.toThrow()
    expect(proxy.requests[1]?.target).toBe('other.test:8443')
  })

  it('rejects a certificate that is not trusted for this service, or is for another one', async () => {
    await using server = await startServer(undefined, certificate)
    await using proxy = await startProxy({ to: server.port })
    using client = open(trusting('https://other.test', by(proxy.url())))
    await expect(exchange(client.http, 'https://svc.test/')).rejects.toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    })
    await expect(exchange(client.http, 'https://other.test/')).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    })
    expect(server.requests).toEqual([])
  })

  it.each([407, 502])(
    'rejects with the host of a proxy that responds with %d, and without its password',
    async (status) => {
      await using proxy = await startProxy({ to: 1, tunnelStatus: status })
      using client = open(by(proxy.url('user:secret')))
      const failure = exchange(client.http, 'https://svc.test/')
      await expect(failure).rejects.toThrow(`the proxy 127.0.0.1:${proxy.port} answered ${status}`)
      await expect(failure).rejects.not.toThrow(/secret/)
    },
  )

  it('rejects when the proxy hangs up', async () => {
    await using proxy = await startRawServer((socket) => socket.once('data', () => socket.end()))
    using client = open(by(proxy.url))
    await expect(exchange(client.http, 'https://svc.test/')).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it('to an IPv6 address has brackets around it', async () => {
    await using proxy = await startProxy({ to: 1, tunnelStatus: 502 })
    using client = open(by(proxy.url()))
    await expect(exchange(client.http, 'https://[2001:db8::1]:8443/')).rejects.toThrow()
    expect(proxy.requests).toMatchObject([{ target: '[2001:db8::1]:8443' }])
  })

  it('rejects if the client certificate is invalid', async () => {
    await using server = await startServer(undefined, certificate)
    await using proxy = await startProxy({ to: server.port })
    const tls = { origin: 'https://svc.test', cert: 'no PEM', key: 'no PEM' }
    using client = open({ ...by(proxy.url()), tls })
    await expect(exchange(client.http, 'https://svc.test/')).rejects.toThrow(/PEM/)
  })

  it('rejects when the proxy opens no tunnel within ten seconds', async () => {
    let onRequest = () => {}
    const isRequested = new Promise<void>((resolve) => {
      onRequest = resolve
    })
    await using proxy = await startRawServer((socket) => socket.once('data', onRequest))
    using client = open(by(proxy.url))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const failure = expect(exchange(client.http, 'https://svc.test/')).rejects.toThrow(
      /^the proxy .+ opened no tunnel$/,
    )
    await isRequested
    vi.advanceTimersByTime(10_000)
    await failure
  })
})

describe('a proxy that is reached over TLS', () => {
  const before = getCACertificates()
  beforeAll(() => setDefaultCACertificates([...before, proxyCertificate.cert]))
  afterAll(() => setDefaultCACertificates(before))

  // Not checked against the name of the service, which the `host` header has.
  it.each(['http://svc.test/', 'https://svc.test/'])('works like any other proxy: %s', async (url) => {
    await using server = await startServer(undefined, url.startsWith('https') ? certificate : undefined)
    await using proxy = await startProxy({ to: server.port, tls: proxyCertificate })
    using client = open(trusting('https://svc.test', by(proxy.url())))
    expect(await exchange(client.http, url)).toEqual(answered)
  })
})

describe('a request that needs no proxy', () => {
  it('goes to loopback directly, whatever proxy is configured', async () => {
    await using server = await startServer()
    await using proxy = await startProxy({ to: server.port })
    using client = open(by(proxy.url()))
    expect(await exchange(client.http, `${server.url}/path`)).toEqual(answered)
    expect(proxy.requests).toEqual([])
    expect(server.requests).toMatchObject([{ path: '/path', body: 'body' }])
  })

  it('reuses its connection', async () => {
    await using server = await startServer()
    await using secure = await startServer(undefined, certificate)
    using client = open(trusting(secure.url))
    for (let at = 0; at < 3; at++) {
      await exchange(client.http, server.url)
      await exchange(client.http, secure.url)
    }
    for (const { requests } of [server, secure]) {
      expect(requests).toHaveLength(3)
      expect(new Set(requests.map(({ port }) => port)).size).toBe(1)
    }
  })

  it('trusts the certificate of the service, and only for the service', async () => {
    await using service = await startServer(undefined, certificate)
    await using storage = await startServer(undefined, certificate)
    using client = open(trusting(service.url))
    expect(await exchange(client.http, service.url)).toEqual(answered)
    await expect(exchange(client.http, storage.url)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  })

  it('shows the client certificate to the service, and only to the service', async () => {
    const asking = { ...certificate, requestCert: true, rejectUnauthorized: true, ca: certificate.cert }
    await using service = await startServer(undefined, asking)
    await using storage = await startServer(undefined, asking)
    const { cert, key } = certificate
    using client = open({ ...DIRECT, tls: { origin: service.url, ca: cert, cert, key } })
    expect(await exchange(client.http, service.url)).toEqual(answered)
    await expect(exchange(client.http, storage.url, { rejectUnauthorized: false } as object)).rejects.toThrow()
    expect(storage.requests).toEqual([])
  })
})

it('close() ends the connections of the HTTP client', async () => {
  const ends: Promise<unknown>[] = []
  await using server = await startRawServer((socket) => {
    ends.push(once(socket, 'close'))
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello'))
  })
  const { http } = open()
  await exchange(http, server.url)
  http.close()
  expect(await Promise.all(ends)).toHaveLength(1)
})

it('there is no HTTP client if the runtime has no node:http', () => {
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never)
  expect(nodeHttp(DIRECT)).toBeUndefined()
})
