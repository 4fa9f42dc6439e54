import { once } from 'node:events'
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2'
import { createConnection, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { type Models, startModels } from '../../test/models.ts'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { recordWire } from '../../test/wire.ts'

recordSpans()
recordWire()
let server: Models
let url: string
let session: ClientHttp2Session
let connection: Socket
beforeAll(async () => {
  server = await startModels()
  url = await server.startHttp2()
})
beforeEach(() => {
  forgetSpans()
  connection = createConnection(Number(new URL(url).port), '127.0.0.1')
  session = connect(url, { createConnection: () => connection })
})
afterEach(() => session.destroy())
afterAll(() => server.close())

const messages = [{ role: 'user', content: 'What is a span?' }]

/** A request whose body is written in two pieces. */
function ask(body: object, options: { signal?: AbortSignal } = {}): ClientHttp2Stream {
  const text = JSON.stringify({ model: 'm', messages, ...body })
  const stream = session.request(
    {
      ':method': 'POST',
      ':path': '/v1/chat/completions',
      'content-type': 'application/json',
      Authorization: 'Bearer sk-not-to-be-seen',
    },
    options,
  )
  stream.on('error', () => {})
  stream.write(text.slice(0, 10))
  stream.end(text.slice(10))
  return stream
}

/** What the spans say that have ended, but for times and addresses. */
async function recorded() {
  const [span, ...others] = await vi.waitUntil(() => finishedSpans().length > 0 && finishedSpans(), 60_000)
  expect(others).toEqual([])
  const { 'svc.observation.completion_start_time': time, ...attributes } = span?.attributes ?? {}
  for (const name of ['server.port', 'gen_ai.response.id']) delete attributes[name]
  return { name: span?.name, status: span?.status, hasTime: time !== undefined, attributes }
}

async function ended() {
  const { status, attributes } = await recorded()
  const { 'svc.observation.metadata.outcome': outcome, 'svc.observation.output': output } = attributes
  return { status: status?.message, outcome, output }
}

it.each([false, true])('a request is recorded as one of fetch is; a stream: %s', async (stream) => {
  const answer = await text(ask({ stream }))
  const byHttp2 = await recorded()
  forgetSpans()
  const body = JSON.stringify({ model: 'm', messages, stream })
  const response = await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body })
  expect(await response.text()).toHaveLength(answer.length)
  expect(byHttp2).toEqual(await recorded())
  expect(byHttp2.attributes['svc.observation.output']).toContain('span')
})

it('a request that is aborted before its response is a cancelled call', async () => {
  const before = await server.requests()
  const controller = new AbortController()
  ask({ model: 'hang' }, { signal: controller.signal })
  await vi.waitUntil(async () => (await server.requests()) > before, 60_000)
  controller.abort()
  expect(await ended()).toMatchObject({ outcome: '"cancelled"' })
})

it('a request that times out is a failed call', async () => {
  const before = await server.requests()
  const controller = new AbortController()
  ask({ model: 'hang' }, { signal: controller.signal })
  await vi.waitUntil(async () => (await server.requests()) > before, 60_000)
  controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  expect(await ended()).toMatchObject({ status: 'The operation was aborted due to timeout' })
})

const someOutput = expect.stringMatching(/\w/)

it('a stream whose loop is left is stopped early, with its output', async () => {
  for await (const _ of ask({ stream: true, model: 'slow' })) break
  expect(await ended()).toMatchObject({ outcome: '"stopped early"', output: someOutput })
})

it('a stream that the application closes is stopped early, with its output', async () => {
  const stream = ask({ stream: true, model: 'slow' })
  await once(stream, 'data')
  stream.close(8)
  expect(await ended()).toMatchObject({ outcome: '"stopped early"', output: someOutput })
})

it('a stream that breaks is a failed call, with its output', async () => {
  ask({ stream: true, model: 'cut' }).resume()
  expect(await ended()).toMatchObject({ status: expect.stringContaining('INTERNAL_ERROR'), output: someOutput })
})

it('a stream whose connection is lost is a failed call, with its output', async () => {
  await once(ask({ stream: true, model: 'slow' }), 'data')
  connection.destroy()
  expect(await ended()).toMatchObject({ status: 'The connection was closed', output: someOutput })
})
