import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { basic } from '../../test/support/sdk.ts'
import { type LocalOptions, startLocal } from '../index.ts'

const KEY = 'sk-the-users-own-key'
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

interface Received {
  url: string | undefined
  headers: Record<string, unknown>
  body: Record<string, unknown>
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
      received.push({ url: request.url, headers: request.headers, body: text === '' ? {} : JSON.parse(text) })
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
  closing.push(() => local.close())
  const ask = async (body: object, headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' }) => {
    const response = await fetch(`${local.url}/viewer/playground`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    expect(text).not.toContain(KEY)
    return { status: response.status, body: JSON.parse(text) }
  }
  return { local, ask }
}

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
  it('asks OpenAI with the tools and calls of the messages', async () => {
    const call = { id: 'c2', type: 'function', function: { name: 'find', arguments: '{}' } }
    const message = { role: 'assistant', content: null, tool_calls: [call] }
    const { received, url } = await vendor({ model: 'm-1', usage: { total_tokens: 3 }, choices: [{ message }] })
    const { ask } = await start({ playground: { openai: { apiKey: KEY, baseUrl: `${url}/v1/` } } })
    const { status, body } = await ask({ ...QUESTION, parameters: { temperature: 0, stream: true } })
    expect([status, body]).toEqual([
      200,
      {
        message: { role: 'assistant', content: '', tool_calls: [{ id: 'c2', name: 'find', arguments: '{}' }] },
        usage: { total_tokens: 3 },
        model: 'm-1',
        latencyMs: expect.any(Number),
      },
    ])
    const { id, ...rest } = CALL
    expect(received).toMatchObject([{ url: '/v1/chat/completions', headers: { authorization: `Bearer ${KEY}` } }])
    expect(received[0]?.body).toEqual({
      model: 'm',
      temperature: 0,
      messages: MESSAGES.map((each) =>
        each.tool_calls ? { ...each, tool_calls: [{ id, type: 'function', function: rest }] } : each,
      ),
      tools: TOOLS,
    })
  })

  it('asks Anthropic in its own words', async () => {
    const content = [
      { type: 'text', text: 'There.' },
      { type: 'tool_use', id: 'c2', name: 'find', input: { id: 2 } },
    ]
    const { received, url } = await vendor({ model: 'c-1', usage: { input_tokens: 3 }, content })
    const { ask } = await start({ playground: { anthropic: { apiKey: KEY, baseUrl: url } } })
    const { body } = await ask({ ...QUESTION, vendor: 'anthropic' })
    expect(body.message).toEqual({
      role: 'assistant',
      content: 'There.',
      tool_calls: [{ id: 'c2', name: 'find', arguments: '{"id":2}' }],
    })
    expect(received).toMatchObject([{ url: '/v1/messages', headers: { 'x-api-key': KEY } }])
    expect(received[0]?.body).toEqual({
      model: 'm',
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

  it('is there only for the page of the service, and beyond loopback only with the keys', async () => {
    const { url } = await vendor({ choices: [] })
    const playground = { openai: { apiKey: KEY, baseUrl: url } }
    const { ask } = await start({ playground })
    const statuses = ['cross-site', 'same-site', 'none'].map(
      async (site) => (await ask(QUESTION, { 'sec-fetch-site': site })).status,
    )
    expect(await Promise.all([...statuses, ask(QUESTION, {}).then(({ status }) => status)])).toEqual([
      403, 403, 403, 403,
    ])
    const far = await start({ playground, host: '0.0.0.0' })
    const own = { 'sec-fetch-site': 'same-origin' }
    expect((await far.ask(QUESTION, own)).status).toBe(401)
    const authorization = basic(far.local.publicKey, far.local.secretKey)
    expect((await far.ask(QUESTION, { ...own, authorization })).status).toBe(200)
    expect((await far.ask(QUESTION, { authorization })).status).toBe(403)
  })

  it('needs a key for the vendor, and a question that fits', async () => {
    const { local, ask } = await start({ playground: { anthropic: { apiKey: KEY } } })
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
    const about = await (await fetch(`${local.url}/viewer/about`)).text()
    expect([JSON.parse(about).playground, about.includes(KEY)]).toEqual([['anthropic'], false])
  })

  it.each<[string, RequestListener, string]>([
    [
      'is refused',
      (_, response) => response.writeHead(401).end(JSON.stringify({ error: { message: `Wrong key: ${KEY}` } })),
      'The model answered 401: Wrong key: (key)',
    ],
    ['is led elsewhere', (_, response) => response.writeHead(302, { location: '/other' }).end(), 'cannot be reached'],
    ['is cut off', (request) => request.socket.destroy(), 'cannot be reached'],
    ['gets no JSON', (_, response) => response.end('hello'), 'The model answered no JSON object'],
  ])('says in one line when it %s', async (_, answer, message) => {
    const { received, url } = await vendor(answer)
    const { ask } = await start({ playground: { openai: { apiKey: KEY, baseUrl: url } } })
    expect(await ask(QUESTION)).toMatchObject({ status: 502, body: { message: expect.stringContaining(message) } })
    expect(received).toHaveLength(1)
  })
})
