import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type LocalService, startLocal } from '@svc/local'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { makeCertificate } from '../../../../core/test/support/certificate.ts'
import { startProxy } from '../../../../core/test/support/proxy.ts'
import { appWith } from '../../../test/support/fixture.ts'
import type { Finding } from '../finding.ts'
import { checkService } from './service.ts'

let local: LocalService
beforeEach(async () => {
  local = await startLocal()
  return () => local.close()
})

const certificate = makeCertificate('DNS:svc.test', 'IP:127.0.0.1')

async function check(env: Readonly<Record<string, string>> = {}): Promise<Finding[]> {
  return checkService(appWith({ env: { ...local.env, SVC_TIMEOUT: '60', ...env } }), { readBackMs: 0 })
}

async function faults(env: Readonly<Record<string, string>> = {}): Promise<string[]> {
  return (await check(env)).filter(({ severity }) => severity !== 'ok').map(({ id, severity }) => `${severity} ${id}`)
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

it('working steps are listed one by one, with the name of the project and the test trace', async () => {
  const found = await check()
  expect(found.map(({ id, severity }) => `${severity} ${id}`)).toEqual([
    'ok service',
    'ok clock',
    'ok keys',
    'ok test-trace',
    'ok body-limit',
  ])
  expect(found[2]?.seen).toBe('the keys are accepted: project local (keys of environment)')
  const [trace] = local.traces()
  expect(found[3]?.seen).toContain(trace?.traceId)
  expect(trace).toMatchObject({ name: 'svc doctor' })
  expect(local.count()).toBe(1)
})

it('requests have the same headers as span exports', async () => {
  await check({ SVC_ADDITIONAL_HEADERS: 'x-gateway=open' })
  const [{ headers = {} } = {}] = local.requests()
  expect(headers).toMatchObject({
    'content-encoding': 'gzip',
    'x-svc-ingestion-version': '4',
    'x-svc-public-key': local.publicKey,
    'x-gateway': 'open',
  })
})

describe('the doctor finds a network problem:', () => {
  it('a host that no name server knows', async () => {
    expect(await faults({ SVC_BASE_URL: 'http://svc.invalid' })).toEqual(['error service-dns'])
  })

  it('a port where nothing listens', async () => {
    expect(await faults({ SVC_BASE_URL: 'http://127.0.0.1:1' })).toEqual(['error service-connection'])
  })

  it('an untrusted certificate, and one trusted through a certificate file', async () => {
    const port = await listening(createTlsServer(certificate, (_, response) => void response.end()))
    const SVC_BASE_URL = `https://127.0.0.1:${port}`
    expect(await faults({ SVC_BASE_URL })).toEqual(['error service-tls'])
    const named = { SVC_BASE_URL, OTEL_EXPORTER_OTLP_CERTIFICATE: certificate.certFile }
    expect(await faults(named)).toEqual(['error service-other'])
  })

  it('https for a service that speaks http', async () => {
    expect(await faults({ SVC_BASE_URL: local.url.replace('http:', 'https:') })).toEqual(['error service-tls'])
  })

  it('a proxy that cannot be reached', async () => {
    const [finding] = await check({ SVC_BASE_URL: 'http://svc.test', HTTP_PROXY: 'http://me:secret@127.0.0.1:1' })
    expect(finding).toMatchObject({ id: 'service-proxy', severity: 'error' })
    expect(finding?.seen).toContain('by way of the proxy 127.0.0.1:1')
    expect(finding?.seen).not.toContain('secret')
  })

  it('a working proxy, which is named', async () => {
    const proxy = await startProxy({ to: Number(new URL(local.url).port) })
    onTestFinished(() => proxy[Symbol.asyncDispose]())
    const HTTP_PROXY = `http://127.0.0.1:${proxy.port}`
    // The service itself refuses requests for other hosts.
    const [finding] = await check({ SVC_BASE_URL: 'http://svc.test', HTTP_PROXY })
    expect(proxy.requests).toMatchObject([{ target: 'http://svc.test/api/public/health' }])
    expect(finding).toMatchObject({ id: 'service-other' })
  })

  it('a response that never comes', async () => {
    local.respond('GET /api/public/health', { until: new Promise(() => {}) })
    expect(await faults({ SVC_TIMEOUT: '0.2' })).toEqual(['error service-slow'])
  })

  it('another program at the address of the service', async () => {
    const port = await listening(createServer((_, response) => void response.end('<html>Log in</html>')))
    expect(await faults({ SVC_BASE_URL: `http://127.0.0.1:${port}` })).toEqual(['error service-other'])
  })

  it('a redirect at the address of the service', async () => {
    local.respond('GET /api/public/health', { status: 301, headers: { location: 'https://svc.example.com/' } })
    expect(await faults()).toEqual(['error service-redirect'])
  })
})

describe('the doctor finds a service that', () => {
  it('refuses the keys, without printing the secret one', async () => {
    const found = await check({ SVC_SECRET_KEY: 'sk-of-another-project' })
    expect(found.at(-1)).toMatchObject({ id: 'keys-refused', severity: 'error' })
    expect(found.at(-1)?.seen).toContain('ends in ject')
    expect(JSON.stringify(found)).not.toContain('sk-of')
  })

  it('is older than the SDK supports', async () => {
    local.respond('GET /api/public/health', { status: 200, body: { status: 'OK', version: '4.58.2' } })
    expect(await faults()).toEqual(['error service-version'])
  })

  it('has a clock that differs', async () => {
    const date = new Date(Date.now() - 3_600_000).toUTCString()
    local.respond('GET /api/public/health', {
      status: 200,
      headers: { date },
      body: { status: 'OK', version: '6.0.0' },
    })
    expect(await faults()).toEqual(['warning clock'])
  })

  it('does not accept gzip', async () => {
    local.respond('POST /api/public/otel/v1/traces', { status: 415, times: 1 })
    expect(await faults()).toEqual(['warning gzip-refused'])
  })

  it('does not accept traces', async () => {
    local.respond('POST /api/public/otel/v1/traces', { status: 503 })
    expect(await faults()).toEqual(['error service-answer'])
  })

  it('closes the connection in the middle of a response', async () => {
    local.respond('GET /api/public/projects', { drop: true })
    expect(await faults()).toEqual(['error service-connection'])
  })

  it('accepts the test trace and does not show it', async () => {
    local.respond('GET /api/public/v2/observations', {
      status: 200,
      body: { data: [], meta: {} },
      times: Number.POSITIVE_INFINITY,
    })
    expect(await faults()).toEqual(['warning test-trace'])
  })
})

describe('the doctor finds a gateway that', () => {
  let port: number
  let server: Server

  /** Takes bodies up to a size, as nginx does. */
  beforeAll(async () => {
    server = createServer((incoming, response) => {
      if (Number(incoming.headers['content-length']) > 500_000) {
        response.writeHead(413, { connection: 'close' }).end()
        return
      }
      const { method, url, headers } = incoming
      const onward = request({ ...address(local), method, path: url, headers }, (answer) => {
        answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers))
      })
      incoming.pipe(onward)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => void server.close())

  it('refuses requests as large as the largest batch', async () => {
    expect(await faults({ SVC_BASE_URL: `http://127.0.0.1:${port}` })).toEqual(['warning body-limit'])
  })
})

function address({ url }: LocalService) {
  const { hostname, port } = new URL(url)
  return { host: hostname, port }
}
