import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { environmentOf } from './environment.ts'
import { DIRECT, tlsFor, transportOf } from './transport.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-transport-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string): string {
  const path = join(folder, name)
  writeFileSync(path, `text of ${name}`)
  return path
}

function read(variables: Record<string, string>, baseUrl: string | undefined = 'https://svc.test/path') {
  const lines: string[] = []
  return { transport: transportOf(baseUrl, environmentOf(variables), (line) => lines.push(line)), lines }
}

it('an empty environment means direct connections, without a warning', () => {
  expect(read({})).toEqual({ transport: DIRECT, lines: [] })
})

describe('TLS certificates of the environment', () => {
  it('are the contents of the files', () => {
    const { transport, lines } = read({
      OTEL_EXPORTER_OTLP_CERTIFICATE: file('ca.pem'),
      OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: file('cert.pem'),
      OTEL_EXPORTER_OTLP_CLIENT_KEY: file('key.pem'),
    })
    expect(lines).toEqual([])
    expect(transport.tls).toEqual({
      origin: 'https://svc.test',
      ca: 'text of ca.pem',
      cert: 'text of cert.pem',
      key: 'text of key.pem',
    })
  })

  it('for traces win over those for all signals', () => {
    const { transport } = read({
      OTEL_EXPORTER_OTLP_CERTIFICATE: file('all.pem'),
      OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE: file('traces.pem'),
    })
    expect(transport.tls?.ca).toBe('text of traces.pem')
  })

  it('are for the origin of the base URL only', () => {
    const { transport } = read({ OTEL_EXPORTER_OTLP_CERTIFICATE: file('ca.pem') })
    expect(tlsFor(new URL('https://svc.test/other'), transport)).toEqual({ ca: 'text of ca.pem' })
    for (const other of [
      'https://storage.test/',
      'https://svc.test:8443/',
      'http://svc.test/',
      'https://a.svc.test/',
    ]) {
      expect(tlsFor(new URL(other), transport)).toBeUndefined()
    }
  })

  it('are unused without a base URL', () => {
    const env = environmentOf({ OTEL_EXPORTER_OTLP_CERTIFICATE: file('ca.pem') })
    expect(transportOf(undefined, env, () => {}).tls).toBeUndefined()
  })

  // The last never ends.
  it.each(['nowhere.pem', tmpdir(), '/dev/zero'])('that cannot be read are named by their variable: %s', (path) => {
    const { lines } = read({ OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE: path })
    expect(lines).toEqual([expect.stringMatching(/^OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE: /)])
  })

  it.each(['OTEL_EXPORTER_OTLP_CERTIFICATE', 'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE', 'OTEL_EXPORTER_OTLP_CLIENT_KEY'])(
    'that cannot be read cause one line that names %s',
    (variable) => {
      const path = join(folder, 'nowhere.pem')
      const { transport, lines } = read({ [variable]: path })
      expect(lines).toEqual([expect.stringMatching(new RegExp(`^${variable}: .*nowhere\\.pem.* is ignored: ENOENT`))])
      expect(transport.tls).toBeUndefined()
    },
  )

  it('that can be read are used beside one that cannot', () => {
    const { transport } = read({
      OTEL_EXPORTER_OTLP_CERTIFICATE: file('ca.pem'),
      OTEL_EXPORTER_OTLP_CLIENT_KEY: join(folder, 'nowhere.pem'),
    })
    expect(transport.tls).toEqual({ origin: 'https://svc.test', ca: 'text of ca.pem' })
  })
})

describe('proxies of the environment', () => {
  it('are read from HTTP_PROXY, HTTPS_PROXY and NO_PROXY', () => {
    const { transport, lines } = read({
      HTTP_PROXY: 'http://user:secret@proxy:3128',
      HTTPS_PROXY: 'https://proxy',
      NO_PROXY: 'a.test, .b.test',
    })
    expect(lines).toEqual([])
    expect(transport.proxy).toEqual({
      httpProxy: 'http://user:secret@proxy:3128',
      httpsProxy: 'https://proxy',
      noProxy: ['a.test', '.b.test'],
    })
  })

  it('in lower-case variables win', () => {
    const { transport } = read({
      HTTP_PROXY: 'http://upper',
      http_proxy: 'http://lower',
      HTTPS_PROXY: 'http://upper',
      https_proxy: 'http://lower',
      NO_PROXY: 'upper',
      no_proxy: 'lower',
    })
    expect(transport.proxy).toEqual({ httpProxy: 'http://lower', httpsProxy: 'http://lower', noProxy: ['lower'] })
  })

  it.each(['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'])(
    'that are not a URL cause one line that names %s and hides the password',
    (variable) => {
      const { transport, lines } = read({ [variable]: 'socks5://user:secret@proxy:1080' })
      expect(lines).toEqual([`${variable}=(hidden) is ignored: expected a URL such as http://proxy.example.com:3128.`])
      expect(transport.proxy).toEqual(DIRECT.proxy)
    },
  )
})

it.each([
  ['0', false],
  ['1', true],
])('NODE_TLS_REJECT_UNAUTHORIZED=%s: other certificates are rejected: %s', (value, rejectUnauthorized) => {
  const { transport, lines } = read({ NODE_TLS_REJECT_UNAUTHORIZED: value })
  expect(transport.rejectUnauthorized).toBe(rejectUnauthorized)
  expect(lines).toEqual([])
})
