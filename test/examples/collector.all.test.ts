import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ATTRIBUTE, EXPERIMENT_ENVIRONMENT, HEADER } from '@svc/core/attributes'
import { renderTrace } from '@svc/local'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { app, cwd, PRELOAD } from '../preload/apps.ts'
import { runNode, startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { screens, timeless } from './readme.ts'

// There is no Collector here. What can be checked of the file without one: that it is whole, that it keeps to loopback
// and has no secrets, and that it fits what our processes send.

const examples = fileURLToPath(new URL('../../examples/', import.meta.url))
const text = readFileSync(`${examples}collector/collector.yaml`, 'utf8')
const readme = readFileSync(`${examples}collector/README.md`, 'utf8')
const config: Collector = parse(text, { merge: true })

interface Collector {
  readonly extensions: Readonly<Record<string, Extension | undefined>>
  readonly receivers: { readonly otlp: { readonly protocols: { readonly http: Receiver } } }
  readonly processors: { readonly tail_sampling: { readonly policies: readonly Policy[] } }
  readonly connectors: { readonly routing: { readonly table: readonly Route[] } }
  readonly exporters: Readonly<Record<string, Exporter>>
  readonly service: { readonly extensions: readonly string[]; readonly pipelines: Readonly<Record<string, Pipeline>> }
}
interface Extension {
  readonly htpasswd?: { readonly inline: string }
  readonly client_auth?: { readonly username: string; readonly password: string }
}
interface Receiver {
  readonly traces_url_path: string
  readonly auth: { readonly authenticator: string }
}
interface Policy {
  readonly name: string
  readonly type: string
  readonly string_attribute?: { readonly key: string; readonly values: readonly string[] }
}
interface Route {
  readonly condition: string
  readonly pipelines: readonly string[]
}
interface Exporter {
  readonly traces_endpoint: string
  readonly auth: { readonly authenticator: string }
  readonly headers: Readonly<Record<string, string>>
  readonly sending_queue: { readonly storage: string }
}
interface Pipeline {
  readonly receivers: readonly string[]
  readonly processors: readonly string[]
  readonly exporters: readonly string[]
}

const http = config.receivers.otlp.protocols.http
const exporters = Object.values(config.exporters)
const pipelines = Object.values(config.service.pipelines)

/** Every text in the file, with the keys that lead to it. */
function leaves(value: unknown, path = ''): { path: string; text: string }[] {
  if (typeof value !== 'object' || value === null) return [{ path, text: String(value) }]
  return Object.entries(value).flatMap(([key, each]) => leaves(each, `${path}/${key}`))
}

const sorted = (names: Iterable<string>) => [...new Set(names)].sort()

describe('examples/collector: its configuration file', () => {
  it('defines exactly the components it uses', () => {
    const connectors = Object.keys(config.connectors)
    const named = (which: keyof Pipeline) => sorted(pipelines.flatMap((pipeline) => pipeline[which]))
    expect(named('receivers')).toEqual(sorted([...Object.keys(config.receivers), ...connectors]))
    expect(named('exporters')).toEqual(sorted([...Object.keys(config.exporters), ...connectors]))
    expect(named('processors')).toEqual(sorted(Object.keys(config.processors)))
    const requests = [
      http.auth.authenticator,
      ...exporters.flatMap(({ auth, sending_queue }) => [auth.authenticator, sending_queue.storage]),
    ]
    expect(sorted(config.service.extensions)).toEqual(sorted(requests))
    expect(sorted(Object.keys(config.extensions))).toEqual(sorted(requests))
    const routed = config.connectors.routing.table.flatMap((route) => route.pipelines)
    const behind = Object.entries(config.service.pipelines).filter(([, each]) => each.receivers.includes('routing'))
    expect(sorted(routed)).toEqual(sorted(behind.map(([name]) => name)))
  })

  it('listens on loopback only', () => {
    const listening = leaves(config).filter(({ path }) => path.endsWith('/endpoint'))
    expect(listening.map(({ path }) => path)).toEqual(['/receivers/otlp/protocols/http/endpoint'])
    for (const { text } of listening) expect(text).toMatch(/^127\.0\.0\.1:\d+$/)
  })

  it('has no secret, and no third-party address', () => {
    const foreign = /\/(inline|username|password|authorization|token|directory|[a-z]+_endpoint|x-svc-public-key)$/i
    const given = leaves(config).filter(({ path }) => foreign.test(path))
    expect(given.length).toBeGreaterThan(8)
    const written = given.map(({ path, text }) => ({ path, text: text.replaceAll(/\$\{env:\w+\}/g, '') }))
    expect(written.filter(({ text }) => !/^[:\s]*$|^\/api\/public\/otel\/v1\/traces$/.test(text))).toEqual([])
    expect(text).not.toMatch(/\b[ps]k-|Basic |Bearer |https?:\/\//)
  })

  it('uses exactly the variables that its README explains', () => {
    const requests = [...text.matchAll(/\$\{([^}]*)\}/g)].map(([, name = '']) => name.replace(/^env:/, ''))
    const rows = readme.split('\n').filter((line) => line.startsWith('| `'))
    const explained = rows.flatMap((row) => [...row.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name))
    expect(sorted(requests)).toEqual(sorted(explained))
  })

  it('routes each accepted key to an exporter with the same key', () => {
    const users = config.extensions[http.auth.authenticator]?.htpasswd?.inline.trim().split('\n') ?? []
    const keys = users.map((user) => user.slice(0, user.lastIndexOf(':$')))
    const shown = config.connectors.routing.table.map(({ condition, pipelines: [pipeline = ''] }) => {
      const [name = ''] = config.service.pipelines[pipeline]?.exporters ?? []
      const { auth, headers } = config.exporters[name] as Exporter
      const key = config.extensions[auth.authenticator]?.client_auth?.username
      expect(condition).toBe(`otelcol.client.auth.attributes["username"] == "${key}"`)
      expect(headers[HEADER.PUBLIC_KEY]).toBe(key)
      return key
    })
    expect(keys.length).toBeGreaterThan(1)
    expect(shown).toEqual(keys)
  })

  it('does not sample experiments', () => {
    const { policies } = config.processors.tail_sampling
    const [experiments] = policies.filter(({ name }) => name === 'experiments')
    expect(experiments).toMatchObject({
      type: 'string_attribute',
      string_attribute: { key: ATTRIBUTE.ENVIRONMENT, values: [EXPERIMENT_ENVIRONMENT] },
    })
    // One policy that wants a trace is enough, unless one of these is among them.
    expect(policies.filter(({ type }) => type === 'drop' || type === 'and' || type === 'not')).toEqual([])
  })
})

describe('examples/collector: a running collector', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  /** In place of the gateway: it takes everything. */
  const seen: { path: string | undefined; headers: IncomingHttpHeaders }[] = []
  const gateway = createServer((request, response) => {
    seen.push({ path: request.url, headers: request.headers })
    request.resume().on('end', () => response.end())
  })
  let url: string
  beforeAll(async () => {
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`
  })
  afterAll(() => gateway.close())
  beforeEach(() => {
    seen.length = 0
  })

  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-collector-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('receives spans of the preload, and sends the same headers to the service', async () => {
    await runNode([...PRELOAD, app('chat.mjs')], { cwd, env: { ...service.env, SVC_BASE_URL: url } })
    const [request] = seen
    if (!request) throw new Error('no request')
    expect(http.traces_url_path).toBe(request.path)
    // Its receiver understands both without configuration.
    expect(request.headers).toMatchObject({ 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' })
    const major = (version: unknown) => String(version).split('.')[0]
    for (const { headers, traces_endpoint } of exporters) {
      expect(traces_endpoint).toBe(`\${env:SVC_BASE_URL}${request.path}`)
      const { [HEADER.PUBLIC_KEY]: _, [HEADER.SDK_VERSION]: version, ...same } = headers
      expect(request.headers).toMatchObject(same)
      expect(major(version)).toBe(major(request.headers[HEADER.SDK_VERSION]))
      const ours = Object.keys(request.headers).filter((name) => name.startsWith('x-svc-'))
      expect(sorted(Object.keys(headers))).toEqual(sorted(ours))
    }
  })

  it('is the only destination with the config file of its README', async () => {
    const [, block = ''] = /^```js\n(.*?)^```$/ms.exec(readme) ?? []
    const file = join(folder, 'gateway.config.mjs')
    writeFileSync(file, block.replace('http://127.0.0.1:4318', url))
    const env = { ...service.env, SVC_CONFIG_FILE: file, GATEWAY_PASSWORD: 'for-a' }
    const run = await runNode(['--import', '@svc/register', 'answer.js'], { cwd: `${examples}score-a-trace`, env })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(service.local.spans()).toEqual([])
    expect(service.local.scores().map(({ name }) => name)).toEqual(['characters', 'user-feedback'])
    const authorization = `Basic ${Buffer.from(`${service.env.SVC_PUBLIC_KEY}:for-a`).toString('base64')}`
    expect(seen.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      [http.traces_url_path, authorization],
    ])
  })

  it('exports the trace shown at the end of its README, with its user', async () => {
    const folder = `${examples}env-only`
    const env = { ...service.env, SVC_HTTP_ROOT: 'true', SVC_TRUST_BAGGAGE: 'loopback', PORT: '0' }
    const server = startNode(['--import', '@svc/register', 'app.js'], { cwd: folder, env })
    const [, address] = await server.printed(/(http:\S+)/)
    const [, baggage = ''] = /-H baggage:(\S+)/.exec(readme) ?? []
    const headers = { 'content-type': 'application/json', baggage }
    const body = JSON.stringify({ question: 'What is the weather in Paris?' })
    await fetch(`${address}/tools`, { method: 'POST', headers, body })
    server.kill('SIGTERM')
    await server.ended
    expect(service.local.traces().map((trace) => timeless(renderTrace(trace)))).toEqual([
      timeless(screens(readme).at(-1) ?? ''),
    ])
    const users = config.processors.tail_sampling.policies.find(({ name }) => name === 'users')?.string_attribute
    expect(users?.key).toBe(ATTRIBUTE.TRACE_USER_ID)
    const found = service.local.spans().map(({ attributes }) => attributes[ATTRIBUTE.TRACE_USER_ID])
    expect(users?.values).toEqual(expect.arrayContaining(found))
  })
})
