import { context, SpanKind, trace } from '@opentelemetry/api'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { configure } from '../gen-ai/configure.ts'
import { instrument as instrumentMcp } from '../instrument.ts'

const login = { mode: 'url', elicitationId: 'e1', url: 'https://places.test/login', message: 'Log in.' }
const needsLogin = Object.assign(new Error('URL elicitation required'), {
  code: -32_042,
  data: { elicitations: [login] },
})

class Client {
  async callTool(called: { name: string; arguments?: unknown }): Promise<unknown> {
    if (called.name === 'locked') throw needsLogin
    const weather = called.name === 'long' ? 'sunny '.repeat(100_000) : 'sunny'
    if (called.name === 'refused') {
      const text = `Wrong key sk-0123456789. ${'sunny '.repeat(1_000)}`
      return { content: [{ type: 'text', text }], isError: true }
    }
    return { content: [{ type: 'text', text: weather }], isError: called.name === 'broken' }
  }
}

class Server {
  readonly _serverInfo = { name: 'places', version: '1.2.0' }
  readonly handlers = new Map<string, (...args: readonly unknown[]) => unknown>()
  getClientVersion() {
    return { name: 'application', version: '3.0.0' }
  }
  setRequestHandler(method: string, handler: (...args: readonly unknown[]) => unknown) {
    this.handlers.set(method, handler)
  }
  answer(method: string, params: object, extra: object = {}) {
    return this.handlers.get(method)?.({ method, params }, extra)
  }
}

recordSpans()
beforeEach(() => {
  forgetSpans()
  instrumentMcp({ Client, Server })
})
afterEach(() => configure({}))

const CONTENT = ['svc.observation.input', 'svc.observation.output']

it('an MCP call without content has its name, and no arguments or result', async () => {
  configure({ captureContent: false })
  await new Client().callTool({ name: 'weather', arguments: { city: 'Paris' } })
  const [span] = finishedSpans()
  expect(span?.name).toBe('execute_tool weather')
  expect(Object.keys(span?.attributes ?? {}).filter((name) => CONTENT.includes(name))).toEqual([])
})

it('a failed MCP tool without content is an error without its text', async () => {
  configure({ captureContent: false })
  await new Client().callTool({ name: 'broken' })
  expect(finishedSpans()[0]?.status).toEqual({ code: 2, message: 'the tool failed' })
})

it('the error text of a failed MCP tool is bounded and contains no key', async () => {
  await new Client().callTool({ name: 'refused' })
  const { message = '' } = finishedSpans()[0]?.status ?? {}
  expect(message).toMatch(/^Wrong key \(hidden\)\. sunny/)
  expect(message.length).toBeLessThan(2_000)
})

it('a large MCP result is truncated, with a note', async () => {
  configure({ contentMaxBytes: 1_000 })
  const result = await new Client().callTool({ name: 'long', arguments: { text: 'sunny '.repeat(100_000) } })
  expect(JSON.stringify(result).length).toBeGreaterThan(600_000)
  for (const name of CONTENT) {
    const text = String(finishedSpans()[0]?.attributes[name])
    expect(text.length).toBeLessThan(1_500)
    expect(text).toMatch(/left out|truncated|more/)
  }
})

function serverThat(handle: (request: unknown, extra: unknown) => unknown, method = 'tools/call'): Server {
  const server = new Server()
  server.setRequestHandler(method, handle)
  return server
}

it('a handler of a server is recorded with its name, the transport and the client', async () => {
  const server = serverThat(async () => ({ content: [{ type: 'image', mimeType: 'image/png', data: 'aWJt' }] }))
  await server.answer('tools/call', { name: 'weather', arguments: { city: 'Paris' } }, { sessionId: 's-1' })
  const [span] = finishedSpans()
  expect([span?.name, span?.kind]).toEqual(['tools/call weather', SpanKind.SERVER])
  expect(span?.attributes).toEqual({
    'mcp.method.name': 'tools/call',
    'mcp.session.id': 's-1',
    'svc.observation.type': 'span',
    'svc.observation.input': '{"city":"Paris"}',
    'svc.observation.output': '[{"type":"image","mimeType":"image/png"}]',
    'svc.observation.metadata.mcp_transport': '"http"',
    'svc.observation.metadata.mcp_server': '"places 1.2.0"',
    'svc.observation.metadata.mcp_client': '"application 3.0.0"',
  })
})

it.each([
  ['throws', () => Promise.reject(new RangeError('no such city')), 'RangeError', 'no such city'],
  ['says so', async () => ({ isError: true, content: [{ type: 'text', text: 'no city' }] }), 'tool_error', 'no city'],
])('a handler that %s has failed, and the application sees the same', async (_, handle, type, message) => {
  const [seen, bare] = await Promise.allSettled([serverThat(handle).answer('tools/call', { name: 'a' }), handle()])
  expect(seen).toEqual(bare)
  expect(finishedSpans()[0]).toMatchObject({ status: { code: 2, message }, attributes: { 'error.type': type } })
})

it('a handler that asks its client for more first is interrupted, and its question is the output', async () => {
  const inputRequests = { choice: { method: 'elicitation/create', params: { message: 'Which city?' } } }
  await serverThat(() => ({ resultType: 'input_required', inputRequests })).answer('tools/call', { name: 'a' })
  const [{ status, attributes = {} } = {}] = finishedSpans()
  expect([status?.code, attributes['svc.observation.status_message']]).toEqual([0, 'interrupted'])
  expect(attributes['svc.observation.output']).toBe(JSON.stringify(inputRequests))
})

it('a request that is cancelled ends at once, though its handler never returns', () => {
  const controller = new AbortController()
  void serverThat(() => new Promise(() => {})).answer('tools/call', { name: 'a' }, { signal: controller.signal })
  expect(finishedSpans()).toEqual([])
  controller.abort()
  expect(finishedSpans()[0]?.attributes).toMatchObject({ 'svc.observation.level': 'WARNING' })
})

it.each(['initialize', 'ping', 'tasks/get', 'tools/list', 'of/nobody'])(
  'outside of a trace a handler of %s is none of its own',
  async (method) => {
    expect(await serverThat(async () => 'answer', method).answer(method, {})).toBe('answer')
    expect(finishedSpans()).toEqual([])
  },
)

it('the request of an MCP tool call is part of it, also below a span of another instrumentation', async () => {
  class Asking {
    async callTool(called: { name: string }): Promise<unknown> {
      // As the wrapper of another instrumentation does.
      const span = trace.getTracer('third-party').startSpan('weather.tool')
      const request = { method: 'tools/call', params: called }
      return context.with(trace.setSpan(context.active(), span), () => this.request(request)).finally(() => span.end())
    }
    async request(_: object): Promise<unknown> {
      return { content: [] }
    }
  }
  instrumentMcp({ Client: Asking, Server })
  await new Asking().callTool({ name: 'weather' })
  await new Asking().request({ method: 'tools/call', params: { name: 'weather' } })
  expect(finishedSpans().map(({ name }) => name)).toEqual([
    'weather.tool',
    'execute_tool weather',
    'execute_tool weather',
  ])
})

it('a request that a person has to go to an address for first is interrupted, on both sides, and is no error', async () => {
  await expect(new Client().callTool({ name: 'locked' })).rejects.toBe(needsLogin)
  const server = new Server()
  server.setRequestHandler('tools/call', async () => {
    throw needsLogin
  })
  await expect(server.answer('tools/call', { name: 'locked' })).rejects.toBe(needsLogin)
  expect(
    finishedSpans().map(({ name, status, attributes }) => [
      name,
      status.code,
      attributes['svc.observation.status_message'],
      JSON.parse(String(attributes['svc.observation.output'])),
    ]),
  ).toEqual(['execute_tool locked', 'tools/call locked'].map((name) => [name, 0, 'interrupted', [login]]))
})
