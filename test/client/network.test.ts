import { fileURLToPath } from 'node:url'
import { SvcAPIError, type SvcClient } from '@svc/client'
import { environmentOf } from '@svc/core/environment'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { type Server, startServer } from '../../packages/core/test/support/server.ts'
import { HOST, makeServiceCertificate, useProxy } from '../support/network.ts'
import { runNode, startNode } from '../support/run.ts'
import { useBench } from './api-support.ts'

const bench = useBench()
const certificate = makeServiceCertificate()
const clientCertificate = makeServiceCertificate()

type Variables = Readonly<Record<string, string>>

const TRACE = '0123456789abcdef0123456789abcdef'
const call = 'GET /api/public/projects'
/** On a busy machine no request takes too long. */
const KEYS = { SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_TIMEOUT: '60' }
const trusting = { OTEL_EXPORTER_OTLP_CERTIFICATE: certificate.certFile }

/** A service that takes everything, whatever host it is called by. */
async function useService(tls?: object): Promise<Server> {
  const server = await startServer((response, { method }) => {
    const [status, body] = method === 'POST' ? [207, { successes: [], errors: [], rejected: 0 }] : [200, { data: [] }]
    response.writeHead(status as number, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }, tls)
  onTestFinished(() => server[Symbol.asyncDispose]())
  return server
}

const clientWith = (env: Variables) => bench.client({ env: environmentOf({ ...KEYS, ...env }) })
/** Clients of a service that only a proxy finds. */
const plain = (env: Variables) => clientWith({ SVC_BASE_URL: `http://${HOST}`, ...env })
const secure = (env: Variables) => clientWith({ SVC_BASE_URL: `https://${HOST}`, ...trusting, ...env })

const reasonOf = (work: Promise<unknown>): Promise<SvcAPIError> =>
  work.then(
    () => Promise.reject(new Error('it went well')),
    (reason) => reason,
  )

const score = (client: SvcClient) => {
  client.score.create({ traceId: TRACE, name: 'by proxy', value: 1 })
  return client.flush()
}

afterEach(() => expect(bench.logged().join()).not.toMatch('s3cret'))

describe('the client with an http service', () => {
  it.each(['HTTP_PROXY', 'http_proxy'])('uses the proxy of %s, which receives its own credentials', async (name) => {
    const service = await useService()
    const proxy = await useProxy({ to: service.port })
    const { api } = plain({ [name]: proxy.url('user:p%40ss') })
    expect(await api.projects.get()).toEqual({ data: [] })
    expect(proxy.requests).toMatchObject([
      {
        method: 'GET',
        target: `http://${HOST}/api/public/projects`,
        headers: {
          'proxy-authorization': `Basic ${btoa('user:p@ss')}`,
          authorization: `Basic ${btoa('pk:sk')}`,
        },
      },
    ])
  })

  it('reads no more than 64 MiB of a response, through the proxy as without one', async () => {
    const part = 'x'.repeat(1_048_576)
    await using server = await startServer((response) => {
      const more = () => {
        while (!response.destroyed && response.write(part));
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    })
    const proxy = await useProxy({ to: server.port })
    for (const env of [{ HTTP_PROXY: proxy.url() }, { SVC_BASE_URL: server.url }] as const) {
      await expect(plain(env).api.projects.get()).rejects.toThrow('too much to read: it has more than 64 MiB')
    }
  })

  it('reads a response of many megabytes through the proxy, as without one', async () => {
    const name = 'x'.repeat(5_000_000)
    await using server = await startServer((response) => response.end(JSON.stringify({ data: [{ name }] })))
    const proxy = await useProxy({ to: server.port })
    const { data } = await plain({ HTTP_PROXY: proxy.url() }).api.projects.get()
    expect(data[0]?.name).toHaveLength(name.length)
  })

  it('sends scores through HTTP_PROXY', async () => {
    const service = await useService()
    const proxy = await useProxy({ to: service.port })
    await score(plain({ HTTP_PROXY: proxy.url() }))
    expect(proxy.requests).toMatchObject([{ method: 'POST', target: `http://${HOST}/api/public/scores` }])
    expect(service.bodies).toEqual([expect.stringContaining('"by proxy"')])
    expect(bench.logged()).toEqual([])
  })

  it.each([
    ['without a proxy', 0, { NO_PROXY: '0.0.0.0' }],
    ['without a proxy', 0, { no_proxy: 'other.test, *' }],
    ['by the proxy', 2, { NO_PROXY: 'other.test' }],
    ['by the proxy', 2, {}],
  ])('reaches it %s, which receives %i requests, with %j', async (_, times, env) => {
    const service = await useService()
    const proxy = await useProxy({ to: service.port })
    // This machine, by an address that is none of loopback.
    const client = plain({ HTTP_PROXY: proxy.url(), SVC_BASE_URL: `http://0.0.0.0:${service.port}`, ...env })
    await client.api.projects.get()
    await score(client)
    expect({ arrived: service.requests.length, proxied: proxy.requests.length }).toEqual({ arrived: 2, proxied: times })
  })

  it('reaches loopback without a proxy', async () => {
    const service = await useService()
    const proxy = await useProxy({ to: 1 })
    const client = plain({ HTTP_PROXY: proxy.url(), SVC_BASE_URL: service.url })
    await client.api.projects.get()
    await score(client)
    expect({ proxied: proxy.requests, requests: service.requests.length }).toEqual({ proxied: [], requests: 2 })
  })
})

describe('the client with an https service', () => {
  it.each(['HTTPS_PROXY', 'https_proxy'])('uses a tunnel of %s, and trusts its certificate file', async (name) => {
    const service = await useService(certificate)
    const proxy = await useProxy({ to: service.port })
    const { api } = secure({ [name]: proxy.url('user:p%40ss') })
    expect(await api.projects.get()).toEqual({ data: [] })
    expect(proxy.requests).toMatchObject([
      {
        method: 'CONNECT',
        target: `${HOST}:443`,
        headers: { 'proxy-authorization': `Basic ${btoa('user:p@ss')}` },
      },
    ])
    expect(service.requests).toMatchObject([
      { path: '/api/public/projects', headers: { host: HOST, authorization: `Basic ${btoa('pk:sk')}` } },
    ])
    expect(service.requests[0]?.headers['proxy-authorization']).toBeUndefined()
  })

  it('sends scores through the tunnel', async () => {
    const service = await useService(certificate)
    const proxy = await useProxy({ to: service.port })
    await score(secure({ HTTPS_PROXY: proxy.url() }))
    expect(proxy.requests.map(({ method }) => method)).toEqual(['CONNECT'])
    expect(service.bodies).toEqual([expect.stringContaining('"by proxy"')])
    expect(bench.logged()).toEqual([])
  })

  it('trusts OTEL_EXPORTER_OTLP_CERTIFICATE also without a proxy', async () => {
    const service = await useService(certificate)
    const client = secure({ SVC_BASE_URL: service.url })
    expect(await client.api.projects.get()).toEqual({ data: [] })
    await score(client)
    expect(service.requests.map(({ method }) => method)).toEqual(['GET', 'POST'])
  })

  it('does not trust it without the certificate file: a call fails, and a score is reported as lost', async () => {
    const service = await useService(certificate)
    const client = clientWith({ SVC_BASE_URL: service.url })
    const error = await reasonOf(client.api.projects.get())
    expect(error.message).toMatch(new RegExp(`^${call} did not reach 127\\.0\\.0\\.1:${service.port}: .*self-signed`))
    await score(client)
    await client.shutdown()
    expect(bench.logged()).toEqual([expect.stringMatching(/self-signed certificate.*1 score is lost/)])
    expect(service.requests).toEqual([])
  })

  it('sends the client certificate', async () => {
    const service = await useService({ ...certificate, ca: clientCertificate.cert, requestCert: true })
    const files = {
      OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: clientCertificate.certFile,
      OTEL_EXPORTER_OTLP_CLIENT_KEY: clientCertificate.keyFile,
    }
    const { api } = secure({ SVC_BASE_URL: service.url, ...files })
    expect(await api.projects.get()).toEqual({ data: [] })
    const { api: without } = secure({ SVC_BASE_URL: service.url })
    expect(await reasonOf(without.projects.get())).toBeInstanceOf(SvcAPIError)
    expect(service.requests).toHaveLength(1)
  })
})

describe('a proxy that refuses the client is named without its password:', () => {
  it.each([407, 502])('on the way to an https service, with %i', async (status) => {
    const proxy = await useProxy({ to: 1, tunnelStatus: status })
    const client = secure({ HTTPS_PROXY: proxy.url('user:s3cret') })
    const error = await reasonOf(client.api.projects.get({}, { maxRetries: 0 }))
    expect(error).toBeInstanceOf(SvcAPIError)
    expect(error.message).toBe(`${call} did not reach ${HOST}: the proxy 127.0.0.1:${proxy.port} answered ${status}`)
    await score(client)
    await client.shutdown()
    expect(bench.logged()).toEqual([
      expect.stringMatching(new RegExp(`the proxy 127\\.0\\.0\\.1:${proxy.port} answered ${status}.*1 score is lost`)),
    ])
  })

  it.each([407, 502])('on the way to an http service, with %i', async (status) => {
    await using proxy = await startServer((response) => response.writeHead(status).end())
    const { api } = plain({ HTTP_PROXY: proxy.url.replace('//', '//user:s3cret@') })
    const error = await reasonOf(api.projects.get({}, { maxRetries: 0 }))
    expect(error).toMatchObject({ statusCode: status })
    expect(error.message).toContain(`127.0.0.1:${proxy.port}`)
    expect(error.message).not.toContain('s3cret')
  })

  it('where nothing listens', async () => {
    const { api } = plain({ HTTP_PROXY: 'http://user:s3cret@127.0.0.1:1' })
    const error = await reasonOf(api.projects.get({}, { maxRetries: 0 }))
    expect(error.message).toBe(`${call} did not reach ${HOST}: connect ECONNREFUSED 127.0.0.1:1`)
    const { api: overTls } = secure({ HTTPS_PROXY: 'http://user:s3cret@127.0.0.1:1' })
    expect((await reasonOf(overTls.projects.get({}, { maxRetries: 0 }))).message).toBe(error.message)
  })
})

const app = (name: string) => fileURLToPath(new URL(`apps/${name}.mjs`, import.meta.url))
const cwd = fileURLToPath(new URL('.', import.meta.url))

describe('a process with a client behind a proxy', () => {
  /** The service, the proxy before it, and the variables of a process that only knows the proxy. */
  async function wayTo(scheme: 'http' | 'https') {
    const service = await useService(scheme === 'https' ? certificate : undefined)
    const proxy = await useProxy({ to: service.port })
    const name = scheme === 'https' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
    const base = { ...KEYS, ...trusting, SVC_BASE_URL: `${scheme}://${HOST}` }
    return { service, proxy, env: { ...base, [name]: proxy.url('user:s3cret') } }
  }

  /** Ends in one of the ways of the app: by itself, or by a signal whose handler calls `process.exit(0)`. */
  async function end(way: string, env: Variables) {
    const program = startNode([app('end'), way], { cwd, env })
    await program.printed(/scored/)
    if (way !== 'naturally') program.kill('SIGTERM')
    return program.ended
  }

  it('that waits for a call runs until the response', async () => {
    const { proxy, env } = await wayTo('https')
    const { code, stdout, stderr } = await runNode([app('awaits-call')], { cwd, env })
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^projects: \d\n$/),
      stderr: '',
    })
    expect(proxy.requests).toHaveLength(1)
  })

  // Without the event loop another kind of request is made: each kind takes one of the two schemes.
  it.each([
    ['http', 'naturally'],
    ['https', 'by signal, handler exits 0'],
  ] as const)('sends pending scores through the proxy to %s when it ends: %s', async (scheme, way) => {
    const { service, proxy, env } = await wayTo(scheme)
    const { code, stderr } = await end(way, env)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(service.bodies).toEqual([expect.stringContaining('"first"')])
    expect(proxy.requests).toMatchObject([{ method: scheme === 'https' ? 'CONNECT' : 'POST' }])
  })

  it('reports lost scores if the proxy refuses', async () => {
    const proxy = await useProxy({ to: 1, tunnelStatus: 407 })
    const address = { SVC_BASE_URL: `https://${HOST}`, HTTPS_PROXY: proxy.url('user:s3cret') }
    const { stderr } = await end('by signal, handler exits 0', { ...KEYS, ...trusting, ...address })
    expect(proxy.requests).not.toEqual([])
    expect(stderr).toMatch(/1 score is lost/)
    expect(stderr).not.toMatch('s3cret')
  })
})
