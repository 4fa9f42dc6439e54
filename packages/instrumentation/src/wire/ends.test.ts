import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { SpanStatusCode } from '@opentelemetry/api'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { type Models, startModels } from '../../test/models.ts'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { recordWire } from '../../test/wire.ts'

recordSpans()
recordWire()
let server: Models
beforeAll(async () => {
  server = await startModels()
})
beforeEach(forgetSpans)
afterAll(() => server.close())

const messages = [{ role: 'user', content: 'What is a span?' }]

function ask(body: object, options: RequestInit = {}, url = server.url): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-not-to-be-seen', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages, ...body }),
    ...options,
  })
}

/** The one span that ends, with what it says of its end. */
async function ended() {
  const [span] = await vi.waitUntil(() => finishedSpans().length > 0 && finishedSpans(), 60_000)
  if (!span) throw new Error('no span')
  const { attributes, status } = span
  return {
    name: span.name,
    failed: status.code === SpanStatusCode.ERROR,
    level: attributes['svc.observation.level'],
    outcome: attributes['svc.observation.metadata.outcome'],
    output: attributes['svc.observation.output'],
  }
}

it('a compressed answer is read, also where the client deletes the header that says so', async () => {
  const answer = { choices: [{ message: { role: 'assistant', content: 'Packed.' } }] }
  const body = gzipSync(JSON.stringify(answer))
  // Not one of HTTP, whose requests from this process are no calls.
  const packed = createServer((socket) => {
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`)
      socket.end(body)
    })
  }).listen(0, '127.0.0.1')
  await once(packed, 'listening')
  const { port } = packed.address() as AddressInfo
  const asked = request({ port, host: '127.0.0.1', method: 'POST', path: '/v1/chat/completions' })
  asked.once('response', (response) => {
    // As axios does, which decompresses the body itself.
    delete response.headers['content-encoding']
    response.resume()
  })
  asked.end(JSON.stringify({ model: 'm', messages }))
  expect(await ended()).toMatchObject({ failed: false, output: expect.stringContaining('Packed.') })
  packed.close()
})

it('a request that is aborted before its response is a cancelled call', async () => {
  const controller = new AbortController()
  const answer = ask({ model: 'hang' }, { signal: controller.signal }).catch((error: Error) => error.name)
  await vi.waitUntil(async () => (await server.requests()) > 0, 60_000)
  controller.abort()
  expect(await answer).toBe('AbortError')
  expect(await ended()).toMatchObject({ name: 'chat hang', failed: false, level: 'WARNING', outcome: '"cancelled"' })
})

it('a stream that the application leaves is stopped early, with what was said', async () => {
  const { body } = await ask({ stream: true, model: 'slow' })
  for await (const _ of body ?? []) break
  expect(await ended()).toMatchObject({
    failed: false,
    outcome: '"stopped early"',
    output: expect.stringMatching(/\w/),
  })
})

it('a stream that breaks is a failed call, with what was said', async () => {
  const response = await ask({ stream: true, model: 'cut' })
  await expect(response.text()).rejects.toThrow()
  expect(await ended()).toMatchObject({ failed: true, output: expect.stringMatching(/\w/) })
})

it('a request that times out is a failed call', async () => {
  const before = await server.requests()
  const controller = new AbortController()
  const answer = ask({ model: 'hang' }, { signal: controller.signal })
  await vi.waitUntil(async () => (await server.requests()) > before, 60_000)
  // As `AbortSignal.timeout()` ends it, and not before the request is on its way.
  controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  await expect(answer).rejects.toThrow('timeout')
  expect(await ended()).toMatchObject({ name: 'chat hang', failed: true })
})

it('a request of an application that only looks like one is none', async () => {
  await (await ask({ messages: undefined, model: 'm' })).text()
  await (await ask({ model: 'm' }, { body: 'no JSON' })).text()
  expect(finishedSpans()).toEqual([])
})

it('a request without a server is none where nothing says that it asks a model', async () => {
  await expect(ask({}, {}, 'http://127.0.0.1:9')).rejects.toThrow()
  expect(finishedSpans()).toEqual([])
})

/** A request of `node:http`, whose body is written in two pieces. */
function send(body: object): ClientRequest {
  const text = JSON.stringify({ model: 'm', messages, ...body })
  const sending = request(`${server.url}/v1/chat/completions`, { method: 'POST' })
  sending.write(text.slice(0, 10))
  sending.end(text.slice(10))
  return sending
}

async function firstChunk(sending: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  await once(response, 'data')
  return response.on('error', () => {})
}

it('a request of node:http that is destroyed before its response is a cancelled call', async () => {
  const before = await server.requests()
  const sending = send({ model: 'hang' }).on('error', () => {})
  await vi.waitUntil(async () => (await server.requests()) > before, 60_000)
  sending.destroy()
  expect(await ended()).toMatchObject({ name: 'chat hang', failed: false, outcome: '"cancelled"' })
})

it('a response of node:http that is destroyed is stopped early, with what was said', async () => {
  const response = await firstChunk(send({ stream: true, model: 'slow' }))
  response.destroy()
  expect(await ended()).toMatchObject({
    failed: false,
    outcome: '"stopped early"',
    output: expect.stringMatching(/\w/),
  })
})

it('a response of node:http that breaks is a failed call, with what was said', async () => {
  await firstChunk(send({ stream: true, model: 'cut' }))
  expect(await ended()).toMatchObject({ failed: true, output: expect.stringMatching(/\w/) })
})

it('a response of node:http whose loop is left is stopped early', async () => {
  const [response] = await once(send({ stream: true, model: 'slow' }), 'response')
  for await (const _ of response) break
  expect(await ended()).toMatchObject({ failed: false, outcome: '"stopped early"' })
})

it('a request of node:http that times out is a failed call', async () => {
  const before = await server.requests()
  const controller = new AbortController()
  const sending = request(`${server.url}/v1/chat/completions`, { method: 'POST', signal: controller.signal })
  sending.on('error', () => {}).end(JSON.stringify({ model: 'hang', messages }))
  await vi.waitUntil(async () => (await server.requests()) > before, 60_000)
  controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  expect(await ended()).toMatchObject({ name: 'chat hang', failed: true })
})

it('a request of axios that is cancelled is no failed call', async () => {
  const before = await server.requests()
  const sending = send({ model: 'hang' }).on('error', () => {})
  await vi.waitUntil(async () => (await server.requests()) > before, 60_000)
  sending.destroy(Object.assign(new Error('canceled'), { name: 'CanceledError', code: 'ERR_CANCELED' }))
  expect(await ended()).toMatchObject({ failed: false, outcome: '"cancelled"' })
})
