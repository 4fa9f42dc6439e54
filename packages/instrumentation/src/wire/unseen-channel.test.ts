import { channel } from 'node:diagnostics_channel'
import { createServer } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { log } from '@svc/core/log'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sessionRecorded } from '../realtime/recorded-hosts.ts'
import { recordRequest, type WireKind, type WireRules } from './record-request.ts'

const rules: WireRules = {
  libraries: ['openai', 'google-genai'],
  knownHostsOnly: false,
  blockedHosts: [],
  raw: false,
  below: true,
}

let lines: string[]
beforeEach(() => {
  lines = []
  vi.spyOn(log, 'once').mockImplementation((_, line) => void lines.push(line))
})
afterEach(() => {
  vi.restoreAllMocks()
})

/** Returns the lines about a request. */
async function linesOf(kind: WireKind, request: object, more: Partial<WireRules> = {}): Promise<readonly string[]> {
  expect(recordRequest(kind, request as never, { ...rules, ...more })).toBe(false)
  await turn()
  return lines
}

const socket = (origin: string, path: string) => ({ method: 'GET', origin, path, headers: [], upgrade: 'websocket' })

it.each([
  ['https://api.openai.com', '/v1/realtime?model=gpt-realtime', 'api.openai.com/v1/realtime'],
  ['https://api.openai.com', '/v1/responses', 'api.openai.com/v1/responses'],
  ['https://gateway.example:4000', '/v1/realtime?model=gpt-realtime', 'gateway.example:4000/v1/realtime'],
  ['https://a.openai.azure.com', '/openai/realtime?deployment=rt', 'a.openai.azure.com/openai/realtime'],
  ['https://proxy.example', '/ws/v1beta.GenerativeService.BidiGenerateContent', 'proxy.example/ws/v1beta.Gen'],
])('a WebSocket to %s%s has a line', async (origin, path, place) => {
  const found = await linesOf('fetch', socket(origin, path))
  expect(found).toHaveLength(1)
  expect(found[0]).toMatch(`${place}`)
  expect(found[0]).toContain(' is asked over a WebSocket, which is not recorded. Sessions are recorded of')
})

it.each([
  ['of an application', socket('https://app.example', '/realtime')],
  ['that is no WebSocket', { ...socket('https://api.openai.com', '/v1/responses'), upgrade: null }],
  ['to another path', socket('https://api.openai.com', '/v1/files')],
])('a request %s has none', async (_, request) => {
  expect(await linesOf('fetch', request)).toEqual([])
})

it.each([
  ['a host that is left out', { blockedHosts: ['openai.com'] }],
  ['an instrumentation that is switched off', { libraries: ['google-genai'] }],
])('%s has none', async (_, more) => {
  expect(await linesOf('fetch', socket('https://api.openai.com', '/v1/realtime'), more)).toEqual([])
})

it('a host has one line, whatever the path', async () => {
  vi.restoreAllMocks()
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  for (const tenant of ['a', 'b', 'c']) {
    recordRequest('fetch', socket('https://many.example', `/${tenant}/v1/realtime?model=m`) as never, rules)
  }
  await turn()
  expect(warn).toHaveBeenCalledOnce()
})

it('the connection of a session that is recorded has none', async () => {
  const request = socket('https://recorded.example', '/v1/realtime?model=gpt-realtime')
  expect(recordRequest('fetch', request as never, rules)).toBe(false)
  sessionRecorded('recorded.example')
  await turn()
  expect(lines).toEqual([])
})

it('gRPC to a model has a line', async () => {
  const headers = {
    ':scheme': 'https',
    ':authority': 'us-central1-aiplatform.googleapis.com',
    'content-type': 'application/grpc+proto',
  }
  const path = '/google.cloud.aiplatform.v1.PredictionService/GenerateContent'
  const [line] = await linesOf('http2', { method: 'POST', path, headers })
  expect(line).toMatch(
    'us-central1-aiplatform.googleapis.com/google.cloud.aiplatform.v1.PredictionService/GenerateCont',
  )
  expect(line).toContain(' is asked over gRPC, which is not recorded. Use a client that asks by HTTP')
})

it("Node's WebSocket is published as one", async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const published = new Promise<object>((resolve) => {
    const listen = (message: unknown) => {
      channel('undici:request:create').unsubscribe(listen)
      resolve((message as { request: object }).request)
    }
    channel('undici:request:create').subscribe(listen)
  })
  const client = new WebSocket(`ws://127.0.0.1:${port}/v1/realtime?model=gpt-realtime`)
  client.addEventListener('error', () => {})
  expect(await linesOf('fetch', await published)).toEqual([
    expect.stringContaining(`127.0.0.1:${port}/v1/realtime is asked over a WebSocket`),
  ])
  server.closeAllConnections()
  server.close()
})
