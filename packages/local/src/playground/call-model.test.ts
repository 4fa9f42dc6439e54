import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { opened } from '../../test/support/page.ts'
import { basic } from '../../test/support/sdk.ts'
import { parseExactly } from '../exact-json.ts'
import { type LocalOptions, startLocal } from '../index.ts'
import { NO_ANSWER, type PlaygroundEvent, withEvent } from './answer.ts'

const KEY = 'sk-the-users-own-key'
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

interface Received {
  url: string | undefined
  headers: Record<string, unknown>
  body: Record<string, unknown>
  text: string
}

/** A vendor that answers one thing. */
async function vendor(answer: RequestListener | object) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      received.push({ url: request.url, headers: request.headers, body: text === '' ? {} : JSON.parse(text), text })
      if (typeof answer === 'function') answer(request, response)
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function start(options: LocalOptions) {
  const local = await startLocal(options)
  const page = { ...OWN_PAGE, ...(await opened(local)) }
  closing.push(() => local.close())
  const send = (body: object, headers: Record<string, string> = page, signal?: AbortSignal) =>
    fetch(`${local.url}/viewer/playground`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    })
  const ask = async (body: object, headers?: Record<string, string>) => {
    const response = await send(body, headers)
    const text = await response.text()
    expect(text).not.toContain(KEY)
    if (response.status !== 200) return { status: response.status, body: JSON.parse(text) }
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const events = eventsIn(text)
    return { status: 200, body: events.reduce(withEvent, NO_ANSWER), last: events.at(-1) }
  }
  return { local, ask, send, page }
}

const OWN_PAGE = { 'sec-fetch-site': 'same-origin' }
const eventsIn = (text: string): PlaygroundEvent[] =>
  text
    .split('\n\n')
    .filter(Boolean)
    .map((event) => JSON.parse(event.replace(/^data: /, '')))

/** What a vendor streams: one server-sent event each. */
const streaming =
  (...events: (object | string)[]): RequestListener =>
  (_, response) => {
    begin(response)
    for (const event of events) write(response, event)
    response.end()
  }
const begin = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' })
const write = (response: ServerResponse, event: object | string) =>
  response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
const chunk = (delta: object, more: object = {}) => ({ model: 'm-1', choices: [{ index: 0, delta, ...more }] })

const CALL = { id: 'c1', name: 'find', arguments: '{"id":1}' }
const MESSAGES = [
  { role: 'system', content: 'Be short.' },
  { role: 'user', content: 'Where is it?' },
  { role: 'assistant', content: '', tool_calls: [CALL] },
  { role: 'tool', tool_call_id: 'c1', content: 'in the shop' },
]
const SCHEMA = { type: 'object', properties: { id: { type: 'integer' } } }
const TOOLS = [{ type: 'function', function: { name: 'find', description: 'finds', parameters: SCHEMA } }]
const QUESTION = { vendor: 'openai', model: 'm', messages: MESSAGES, tools: TOOLS, parameters: { temperature: 0 } }

describe('the playground', () => {
  it('calls OpenAI with tools and tool calls', async () => {
    const call = (fields: object, piece: object) =>
      chunk({ content: null, tool_calls: [{ index: 0, ...fields, function: piece }] })
    const { received, url } = await vendor(
      streaming(
        chunk({ role: 'assistant', reasoning_content: 'Hm.' }),
        chunk({ content: 'Let me ' }),
        chunk({ content: 'look.' }),
        call({ id: 'c2', type: 'function' }, { name: 'find', arguments: '' }),
        call({}, { arguments: '{"id"' }),
        call({}, { arguments: ':2}' }),
        chunk({}, { finish_reason: 'tool_calls' }),
        { model: 'm-1', choices: [], usage: { total_tokens: 3 } },
        '[DONE]',
      ),
    )
    const { ask } = await start({ playground: { openai: { apiKey: KEY, baseUrl: `${url}/v1/` } } })
    const { status, body } = await ask({ ...QUESTION, parameters: { temperature: 0, stream: false } })
    expect([status, body]).toEqual([
      200,
      {
        text: 'Let me look.',
        thinking: 'Hm.',
        calls: [{ index: 0, id: 'c2', name: 'find', arguments: '{"id":2}' }],
        usage: { total_tokens: 3 },
        model: 'm-1',
        latencyMs: expect.any(Number),
      },
    ])
    const { id, ...rest } = CALL
    expect(received).toMatchObject([{ url: '/v1/chat/completions', headers: { authorization: `Bearer ${KEY}` } }])
    expect(received[0]?.body).toEqual({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
      messages: MESSAGES.map((each) =>
        each.tool_calls ? { ...each, tool_calls: [{ id, type: 'function', function: rest }] } : each,
      ),
      tools: TOOLS,
    })
  })

  it.each(['openai', 'anthropic'] as const)('calls %s with the numbers that the page has', async (name) => {
    const { received, url } = await vendor({})
    const { ask } = await start({ playground: { [name]: { apiKey: KEY, baseUrl: url } } })
    const tools = parseExactly('[{"name":"find","parameters":{"maximum":9007199254740993}}]')
    const calls = [{ ...CALL, arguments: '{"id":9007199254740993}' }]
    const messages = [{ role: 'assistant', content: '', tool_calls: calls }]
    await ask({ ...QUESTION, vendor: name, messages, tools, parameters: parseExactly('{"temperature":1.0}') })
    const text = String(received[0]?.text)
    expect(text).toContain('"temperature":1.0')
    expect(text.match(/9007199254740993/g)).toHaveLength(2)
  })

  it('calls Anthropic with its own message format', async () => {
    const block = (index: number, type: string, fields: object) => ({ type, index, ...fields })
    const { received, url } = await vendor(
      streaming(
        { type: 'message_start', message: { model: 'c-1', usage: { input_tokens: 3, output_tokens: 1 } } },
        block(0, 'content_block_start', { content_block: { type: 'thinking', thinking: '' } }),
        block(0, 'content_block_delta', { delta: { type: 'thinking_delta', thinking: 'Hm.' } }),
        block(1, 'content_block_start', { content_block: { type: 'text', text: '' } }),
        { type: 'ping' },
        block(1, 'content_block_delta', { delta: { type: 'text_delta', text: 'The' } }),
        block(1, 'content_block_delta', { delta: { type: 'text_delta', text: 're.' } }),
        block(2, 'content_block_start', { content_block: { type: 'tool_use', id: 'c2', name: 'find', input: {} } }),
        block(2, 'content_block_delta', { delta: { type: 'input_json_delta', partial_json: '{"id"' } }),
        block(2, 'content_block_delta', { delta: { type: 'input_json_delta', partial_json: ':2}' } }),
        { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
        { type: 'message_stop' },
      ),
    )
    const { ask } = await start({ playground: { anthropic: { apiKey: KEY, baseUrl: url } } })
    const { body } = await ask({ ...QUESTION, vendor: 'anthropic' })
    expect(body).toEqual({
      text: 'There.',
      thinking: 'Hm.',
      calls: [{ index: 2, id: 'c2', name: 'find', arguments: '{"id":2}' }],
      usage: { input_tokens: 3, output_tokens: 9 },
      model: 'c-1',
      latencyMs: expect.any(Number),
    })
    expect(received).toMatchObject([{ url: '/v1/messages', headers: { 'x-api-key': KEY } }])
    expect(received[0]?.body).toEqual({
      model: 'm',
      stream: true,
      max_tokens: 4096,
      temperature: 0,
      system: 'Be short.',
      messages: [
        { role: 'user', content: 'Where is it?' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'find', input: { id: 1 } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'in the shop' }] },
      ],
      tools: [{ name: 'find', description: 'finds', input_schema: SCHEMA }],
    })
  })

  it('streams chunks to the page as they arrive, and cancels the call when the page closes', async () => {
    let started = (_: ServerResponse) => {}
    const answering = new Promise<ServerResponse>((resolve) => {
      started = resolve
    })
    const { url } = await vendor((_, response) => {
      write(begin(response), chunk({ content: 'One' }))
      started(response)
    })
    const { send } = await start({ playground: { openai: { apiKey: KEY, baseUrl: url } } })
    const page = new AbortController()
    const body = (await send(QUESTION, undefined, page.signal)).body?.getReader()
    const model = await answering
    const left = once(model, 'close')
    const next = async () => eventsIn(new TextDecoder().decode((await body?.read())?.value))
    expect(await next()).toEqual([{ model: 'm-1', text: 'One' }])
    write(model, chunk({ content: ' two' }))
    expect(await next()).toEqual([{ model: 'm-1', text: ' two' }])
    page.abort()
    await left
    expect(model.writableFinished).toBe(false)
  })

  it('cancels the call if the page closes before the model responds', async () => {
    let started = (_: ServerResponse) => {}
    const waiting = new Promise<ServerResponse>((resolve) => {
      started = resolve
    })
    const { url } = await vendor((_, response) => started(response))
    const { send } = await start({ playground: { openai: { apiKey: KEY, baseUrl: url } } })
    const page = new AbortController()
    const sent = send(QUESTION, undefined, page.signal)
    const left = once(await waiting, 'close')
    page.abort()
    await Promise.all([expect(sent).rejects.toThrow('aborted'), left])
  })

  it('reads the complete response of a service that does not stream', async () => {
    const call = { id: 'c2', type: 'function', function: { name: 'find', arguments: '{}' } }
    const message = { role: 'assistant', content: 'Wait.', tool_calls: [call] }
    const content = [
      { type: 'text', text: 'Wait.' },
      { type: 'tool_use', id: 'c2', name: 'find', input: {} },
    ]
    const openai = await vendor({ model: 'm-1', choices: [{ message, finish_reason: 'stop' }], usage: { total: 1 } })
    const anthropic = await vendor({ type: 'message', model: 'm-1', content, usage: { total: 1 } })
    const access = ({ url }: { url: string }) => ({ apiKey: KEY, baseUrl: url })
    const { ask } = await start({ playground: { openai: access(openai), anthropic: access(anthropic) } })
    for (const vendor of ['openai', 'anthropic']) {
      expect(await ask({ ...QUESTION, vendor })).toMatchObject({
        body: {
          text: 'Wait.',
          calls: [{ id: 'c2', name: 'find', arguments: '{}' }],
          model: 'm-1',
          usage: { total: 1 },
          latencyMs: expect.any(Number),
        },
      })
    }
  })

  it('is available only to the viewer page where the printed URL was opened, with or without keys', async () => {
    const { url } = await vendor(streaming(chunk({ content: 'hi' }, { finish_reason: 'stop' })))
    const playground = { openai: { apiKey: KEY, baseUrl: url } }
    for (const host of ['127.0.0.1', '0.0.0.0']) {
      const { local, ask, page } = await start({ playground, host })
      for (const site of ['cross-site', 'same-site']) {
        expect((await ask(QUESTION, { ...page, 'sec-fetch-site': site })).status).toBe(403)
      }
      expect((await ask(QUESTION, { ...page, origin: 'http://127.0.0.1:1' })).status).toBe(403)
      const authorization = basic(local.publicKey, local.secretKey)
      expect((await ask(QUESTION, { ...OWN_PAGE, authorization })).status).toBe(403)
      // Browsers say this to loopback only.
      const { 'sec-fetch-site': _, ...elsewhere } = page
      expect((await ask(QUESTION, { ...elsewhere, origin: local.url })).status).toBe(200)
    }
    const bare = await start({ playground, token: false })
    expect((await bare.ask(QUESTION, {})).status).toBe(403)
    expect((await bare.ask(QUESTION, OWN_PAGE)).status).toBe(200)
  })

  it('requires a key for the vendor and a valid request', async () => {
    const { local, ask, page } = await start({ playground: { anthropic: { apiKey: KEY } } })
    expect(await ask(QUESTION)).toMatchObject({
      status: 404,
      body: { message: 'The playground has no key for openai' },
    })
    const { status, body } = await ask({ vendor: 'other', model: '', messages: ['text'], tools: {}, parameters: 1 })
    expect([status, body.error.map(({ path }: { path: string[] }) => path[0])]).toEqual([
      400,
      ['vendor', 'model', 'messages', 'tools', 'parameters'],
    ])
    expect((await ask({ ...QUESTION, model: 'x'.repeat(5_000_000) })).status).toBe(413)
    const about = await (await fetch(`${local.url}/viewer/about`, { headers: page })).text()
    expect([JSON.parse(about).playground, about.includes(KEY)]).toEqual([['anthropic'], false])
  })

  it.each<[string, RequestListener, string]>([
    [
      'is refused',
      (_, response) => response.writeHead(401).end(JSON.stringify({ error: { message: `Wrong\nkey: ${KEY}` } })),
      'The model answered 401: Wrong key: (key)',
    ],
    [
      'is refused with the key at the end of what is shown',
      (_, response) => response.writeHead(401).end(`${'x'.repeat(990)}${KEY}`),
      `${'x'.repeat(990)}(key)`,
    ],
    ['is led elsewhere', (_, response) => response.writeHead(302, { location: '/other' }).end(), 'cannot be reached'],
    ['is cut off', (request) => request.socket.destroy(), 'cannot be reached'],
    [
      'is refused at length',
      (_, response) => response.writeHead(400).end('x'.repeat(17_000_000)),
      'The model answered 400: it is longer than',
    ],
  ])('responds with 502 and one line if the request %s', async (_, answer, message) => {
    const { received, url } = await vendor(answer)
    const { ask } = await start({ playground: { openai: { apiKey: KEY, baseUrl: url } } })
    expect(await ask(QUESTION)).toMatchObject({ status: 502, body: { message: expect.stringContaining(message) } })
    expect(received).toHaveLength(1)
  })

  it.each<[string, RequestListener, string]>([
    ['gets no JSON', (_, response) => response.end('hello'), 'it holds something that is no JSON object'],
    ['gets events that are no JSON', streaming('hello'), 'it holds something that is no JSON object'],
    [
      'gets an error event',
      streaming(chunk({ content: 'a' }), { error: { message: `${KEY} is broke` } }),
      '(key) is broke',
    ],
    ['gets no end', streaming(chunk({ content: 'a' })), 'The model stopped before the end of its answer'],
    [
      'is cut off',
      (_, response) => {
        begin(response).write(`data: ${JSON.stringify(chunk({ content: 'a' }))}\n\n`, () => response.destroy())
      },
      'The model did not finish its answer',
    ],
    ['gets too much', streaming(chunk({ content: 'x'.repeat(17_000_000) })), 'it is longer than 16777216 bytes'],
  ])('ends the stream with one line if it %s', async (_, answer, message) => {
    const { url } = await vendor(answer)
    const { ask } = await start({ playground: { openai: { apiKey: KEY, baseUrl: url } } })
    const { status, last } = await ask(QUESTION)
    expect([status, last]).toEqual([200, { error: expect.stringContaining(message) }])
    expect(last?.error).not.toMatch(/\n/)
  })

  it('removes the key from model responses', async () => {
    const { url } = await vendor(streaming(chunk({ content: `Your key is ${KEY}` }, { finish_reason: 'stop' })))
    const { ask } = await start({ playground: { openai: { apiKey: KEY, baseUrl: url } } })
    expect(await ask(QUESTION)).toMatchObject({ body: { text: 'Your key is (key)' } })
  })
})
