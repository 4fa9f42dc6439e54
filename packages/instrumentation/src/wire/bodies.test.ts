import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { recordWire } from '../../test/wire.ts'

recordSpans()
recordWire()

const QUESTION = 'Où est «le chat» 🐈?'
const ANSWER = 'Là, sur «le toit» 🐈.'
const question = Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: QUESTION }] }))
const answer = Buffer.from(JSON.stringify({ choices: [{ message: { role: 'assistant', content: ANSWER } }] }))

/** A response: its first lines, and its body in the pieces that it comes in. */
type Sent = readonly [head: readonly string[], ...pieces: (string | Buffer)[]]
const json = ['200 OK', 'content-type: application/json']
let next: Sent[] = []

// Not one of HTTP: what that is asked from this process is no call of a model.
let server: Server
let url: string
beforeAll(async () => {
  server = createServer((socket) => void serve(socket).catch(() => {})).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`
})
afterAll(() => server.close())
beforeEach(() => {
  forgetSpans()
  next = [[json, answer]]
})

async function serve(socket: Socket): Promise<void> {
  let received = ''
  for await (const chunk of socket.setEncoding('latin1')) {
    received += chunk
    const [head = '', body] = received.split('\r\n\r\n', 2)
    if (body === '' && /expect: 100/i.test(head)) socket.write('HTTP/1.1 100 Continue\r\n\r\n')
    const length = /content-length: (\d+)/i.exec(head)?.[1]
    if (length === undefined ? !received.endsWith('\r\n0\r\n\r\n') : (body ?? '').length < Number(length)) continue
    received = ''
    const [lines, ...pieces] = next.shift() ?? [['500 Not expected']]
    // It has no body, and what follows would be the answer to the next request.
    if (lines[0]?.startsWith('204')) {
      socket.write(`HTTP/1.1 ${lines.join('\r\n')}\r\n\r\n`)
      continue
    }
    socket.write(`HTTP/1.1 ${lines.join('\r\n')}\r\ntransfer-encoding: chunked\r\n\r\n`)
    for (const piece of pieces) {
      socket.write(Buffer.concat([Buffer.from(`${Buffer.byteLength(piece).toString(16)}\r\n`), Buffer.from(piece)]))
      socket.write('\r\n')
      await new Promise(setImmediate)
    }
    socket.write('0\r\n\r\n')
  }
}

/** What is asked and said in the only call. */
async function recorded() {
  const [span, ...others] = await vi.waitUntil(() => finishedSpans().length > 0 && finishedSpans(), 60_000)
  const { 'svc.observation.input': input, 'svc.observation.output': output } = span?.attributes ?? {}
  return { input, output, code: span?.status.code, others }
}
const whole = {
  input: JSON.stringify({ messages: [{ role: 'user', content: QUESTION }] }),
  output: expect.stringContaining(JSON.stringify(ANSWER)),
  code: 0,
  others: [],
}

const post = (body: unknown, more = {}) => fetch(url, { method: 'POST', body: body as never, ...more })
async function responseOf(asked: ClientRequest): Promise<string> {
  const [response] = await once(asked, 'response')
  return text(response)
}

const coded = (coding: string, ...pieces: Buffer[]): Sent => [[...json, `content-encoding: ${coding}`], ...pieces]
const bytesOf = (body: Buffer) => Array.from(body, (byte) => Buffer.from([byte]))
const sse = ['200 OK', 'content-type: text/event-stream']
const event = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}`
const events = (end: string) => Buffer.from([...[...ANSWER].map(event), 'data: [DONE]', ''].join(end))

const ANSWERS: Readonly<Record<string, Sent>> = {
  'JSON, byte by byte': [json, ...bytesOf(answer)],
  'JSON with a byte order mark': [json, '\ufeff', answer],
  'JSON with a key twice': [json, '{"choices":[],', answer.subarray(1)],
  gzip: coded('gzip', ...bytesOf(gzipSync(answer))),
  'gzip of two members': coded('x-gzip', gzipSync(answer.subarray(0, 20)), gzipSync(answer.subarray(20))),
  deflate: coded('deflate', deflateSync(answer)),
  'deflate without its header': coded('deflate', deflateRawSync(answer)),
  br: coded('br', brotliCompressSync(answer)),
  zstd: coded('zstd', zstdCompressSync(answer)),
  'gzip in br': coded('gzip, br', brotliCompressSync(gzipSync(answer))),
  'events, byte by byte': [sse, ...bytesOf(events('\n\n'))],
  'events with CRLF': [sse, events('\r\n\r\n')],
  'events with CR': [sse, events('\r\r')],
  'events without lines between them': [sse, events('\n')],
  'events with a byte order mark': [sse, '\ufeff', events('\n\n')],
  'events with comments and more fields': [sse, `: hi\n\n:\nid: 7\nretry: 9\n${event(ANSWER)}\nid: 8\n\n`],
  'an event of many lines': [sse, `${event(ANSWER).replaceAll(/(?<=[{[])/g, '\ndata: ')}\n\ndata: [DONE]\n\n`],
}

describe.each(Object.entries(ANSWERS))('%s', (_, sent) => {
  it.each(['fetch', 'node:http'])('is read by %s', async (by) => {
    next = [sent]
    if (by === 'fetch') await (await post(question)).arrayBuffer()
    else await responseOf(request(url, { method: 'POST' }).end(question))
    expect(await recorded()).toEqual(whole)
  })
})

const busy = { message: 'busy', type: 'server_error' }
const FAILED: Readonly<Record<string, Sent>> = {
  'an error in place of an answer': [json, JSON.stringify({ error: 'busy' })],
  'an error between chunks': [sse, `${event(ANSWER)}\n\ndata: ${JSON.stringify({ error: 'busy' })}\n\n`],
  'an error in a chunk': [
    sse,
    `${event(ANSWER)}\n\n${event('').replace('{', `{"error":${JSON.stringify(busy)},`)}\n\n`,
  ],
}

it.each(Object.entries(FAILED))('%s with status 200 has failed', async (_, sent) => {
  next = [sent]
  await (await post(question)).arrayBuffer()
  const output = sent[0] === sse ? whole.output : undefined
  expect(await recorded()).toEqual({ ...whole, output, code: 2 })
})

const none: Readonly<Record<string, Sent>> = {
  'an empty body': [json],
  'status 204': [['204 No Content']],
  'a page': [['200 OK', 'content-type: text/html'], '<html>'],
  'broken JSON': [json, answer.subarray(0, 20)],
  null: [json, 'null'],
  'an encoding that it does not have': coded('gzip', answer),
  'an unknown encoding': coded('lzma', answer),
}

it.each(Object.entries(none))('%s is a call without an answer', async (_, sent) => {
  next = [sent]
  await (await post(question)).arrayBuffer().catch(() => {})
  expect(await recorded()).toEqual({ ...whole, output: undefined })
})

const half = { duplex: 'half' }
async function* inPieces() {
  yield question.subarray(0, 57)
  yield question.subarray(57)
}
const http = (headers = {}) => request(url, { method: 'POST', headers })

const REQUESTS: Readonly<Record<string, () => Promise<Response | string>>> = {
  'a Blob': () => post(new Blob([question])),
  'a DataView': () => post(new DataView(new Uint8Array(question).buffer)),
  'a stream': () => post(ReadableStream.from(inPieces()), half),
  'an iterator': () => post(inPieces(), half),
  'a Request with a body': () => fetch(new Request(url, { method: 'POST', body: question })),
  'a clone of a Request': () => fetch(new Request(url, { method: 'POST', body: question }).clone()),
  'a Request whose body is another': () => fetch(new Request(url, { method: 'POST', body: '{}' }), { body: question }),
  'a redirect': () => {
    next.unshift([['307 Temporary Redirect', 'location: ?again']])
    return post(question)
  },
  'an expectation': async () => {
    const asked = http({ expect: '100-continue', 'content-length': question.length })
    asked.flushHeaders()
    await once(asked, 'continue')
    return responseOf(asked.end(question))
  },
  'pieces in other encodings': () => {
    const asked = http()
    asked.write(question.toString('latin1', 0, 57), 'latin1')
    return responseOf(asked.end(question.toString('base64', 57), 'base64'))
  },
  'a connection whose earlier request was aborted': async () => {
    next.unshift([json, answer])
    const controller = new AbortController()
    const { body } = await post('{}', { signal: controller.signal })
    controller.abort()
    await text(body as never).catch(() => {})
    return post(question)
  },
}

it.each(Object.entries(REQUESTS))('%s is one call', async (_, send) => {
  const response = await send()
  expect(typeof response === 'string' ? response : await response.text()).toBe(answer.toString())
  expect(await recorded()).toEqual(whole)
})

it.each([new FormData(), new URLSearchParams({ model: 'm' })])('a form is no chat', async (body) => {
  await (await post(body)).text()
  expect(finishedSpans()).toEqual([])
})
