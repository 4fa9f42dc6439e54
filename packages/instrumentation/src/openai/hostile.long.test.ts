import { createRequire } from 'node:module'
import { type ModelServer, startModelServer } from '@svc-examples/model-server'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, messages, recordSpans } from '../../test/spans.ts'
import { instrumentOpenAI } from './patch.ts'

// Two copies of the same version: the imported one stays as it is, the required one is instrumented.
const required = createRequire(import.meta.url)('openai') as { OpenAI: typeof OpenAI }

let server: ModelServer

recordSpans()
beforeAll(async () => {
  instrumentOpenAI(required)
  server = await startModelServer()
})
beforeEach(forgetSpans)
afterAll(() => server.close())

const nested = (levels: number): unknown => {
  let value: unknown = 'the bottom'
  for (let level = 0; level < levels; level += 1) value = [value]
  return value
}
const cyclic = (): unknown => {
  const value: { self?: unknown } = {}
  value.self = value
  return value
}
const fail = (): never => {
  throw new Error('mine')
}
const hostile = { get: fail, has: fail, ownKeys: fail, getOwnPropertyDescriptor: fail, getPrototypeOf: fail }

const long = 'x'.repeat(10_000_000)
const ask = (content: unknown, more = {}) => ({ model: 'gpt-4o-mini', messages: [{ role: 'user', content }], ...more })

/** Requests that no type checker would let pass, or that no model would take. */
const requests: Readonly<Record<string, () => unknown>> = {
  'a text of 10 MB': () => ask(long),
  'a message that contains itself': () => ask(cyclic()),
  '20,000 levels': () => ask(nested(20_000)),
  'a getter that throws': () =>
    ask('hi', {
      tools: [
        {
          get function() {
            return fail()
          },
        },
      ],
    }),
  'messages behind a getter that throws': () => ({
    model: 'gpt-4o-mini',
    get messages() {
      return fail()
    },
  }),
  'a proxy that throws at everything': () => ask(new Proxy({}, hostile)),
  'a whole request that throws at everything': () => new Proxy({}, hostile),
  'a request whose class cannot be read': () => new Proxy(ask('hi'), { getPrototypeOf: fail }),
  'a bigint': () => ask(1n),
  'symbols and functions': () => ask([Symbol('s'), () => 1]),
  'no messages': () => ({ model: 'gpt-4o-mini' }),
  'messages that are none': () => ({ model: 'gpt-4o-mini', messages: 'hello', tools: 3, stop: { a: 1 }, n: 'two' }),
  'a list with nothing in it': () => ({ model: 'gpt-4o-mini', messages: [null, undefined, 5] }),
  'a model that is no name': () => ({ ...ask('hi'), model: { not: 'a name' } }),
  'a model of 10 MB': () => ({ ...ask('hi'), model: long }),
  'no request at all': () => undefined,
  'names that every object has': () => ask([{ type: 'constructor' }, { type: '__proto__' }, { type: 'toString' }]),
  'a picture of 9 MB': () =>
    ask([{ type: 'image_url', image_url: { url: `data:image/png;base64,${long.slice(0, 9e6)}` } }]),
}

describe.each(Object.entries(requests))('%s', (_, request) => {
  it('behaves as without instrumentation, with bounded recorded content', async () => {
    const outcome = await send(required.OpenAI, request)
    expect(outcome).toEqual(await send(OpenAI, request))
    const spans = finishedSpans()
    expect(spans.length).toBeLessThanOrEqual(1)
    for (const [, value] of spans.flatMap(({ attributes }) => Object.entries(attributes))) {
      expect(String(value).length).toBeLessThan(9_100_000)
    }
  })
})

/** Answers that no server should give. */
const answers: Readonly<Record<string, () => Response>> = {
  'no JSON': () => new Response('<html>', { headers: { 'content-type': 'application/json' } }),
  'no content type': () => new Response('{}'),
  'an empty body': () => new Response('', { headers: { 'content-type': 'application/json' } }),
  null: () => Response.json(null),
  'a list': () => Response.json([1, 2]),
  'fields of the wrong kind': () =>
    Response.json({ id: 5, model: [], choices: 'none', usage: { prompt_tokens: 'many', completion_tokens: null } }),
  'choices of the wrong kind': () =>
    Response.json({ choices: [null, 7, { message: 'hi' }, { message: { content: {}, tool_calls: [null, 'x'] } }] }),
  'an answer of 10 MB': () => Response.json({ choices: [{ message: { content: long }, finish_reason: 'stop' }] }),
  'a page of HTML with status 500': () => new Response(long, { status: 500 }),
}

describe.each(Object.entries(answers))('%s from the server', (_, answer) => {
  it('behaves as without instrumentation, with bounded recorded content', async () => {
    const fetch = async () => answer()
    const outcome = await send(required.OpenAI, () => ask('hi'), fetch)
    expect(outcome).toEqual(await send(OpenAI, () => ask('hi'), fetch))
    const [span, ...others] = finishedSpans()
    expect(others).toEqual([])
    expect(JSON.stringify([span?.attributes, span?.events, span?.status]).length).toBeLessThan(1_100_000)
  })
})

/** Streams that no server should send. */
const streams: Readonly<Record<string, readonly unknown[]>> = {
  'chunks of the wrong kind': [null, 1, 'text', { choices: null }, { choices: [null, { delta: 5 }] }],
  'a hundred thousand tool calls': [
    { choices: [{ delta: { tool_calls: Array.from({ length: 100_000 }, (_, index) => ({ index })) } }] },
  ],
  'indexes out of this world': [
    {
      choices: [
        { index: 1e300, delta: { content: 'a' } },
        { index: -1, delta: { content: 'b' } },
      ],
    },
  ],
  'ten megabytes of words': Array.from({ length: 100 }, () => ({
    choices: [{ index: 0, delta: { content: long.slice(0, 100_000) } }],
  })),
  'a name repeated with every piece': Array.from({ length: 3 }, () => ({
    choices: [{ delta: { tool_calls: [{ index: 0, function: { name: 'weather', arguments: ' ' } }] } }],
  })),
}

describe.each(Object.entries(streams))('%s in a stream', (_, chunks) => {
  it('behaves as without instrumentation, with bounded recorded content', async () => {
    const body = [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n'].join('')
    const fetch = async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    const outcome = await send(required.OpenAI, () => ask('hi', { stream: true }), fetch)
    expect(outcome).toEqual(await send(OpenAI, () => ask('hi', { stream: true }), fetch))
    const [span, ...others] = finishedSpans()
    expect(others).toEqual([])
    expect(JSON.stringify(span?.attributes).length).toBeLessThan(1_100_000)
  })
})

it('streamed output beyond a megabyte is counted, not kept', async () => {
  const chunk = { choices: [{ index: 0, delta: { content: long.slice(0, 600_000) } }] }
  const body = `data: ${JSON.stringify(chunk)}\n\ndata: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`
  const fetch = async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  await send(required.OpenAI, () => ask('hi', { stream: true }), fetch)
  const [message] = messages(finishedSpans()[0]?.attributes['svc.observation.output'])
  expect(message?.content).toMatch(/x\[truncated by svc: \d+ more characters\]$/)
})

/** What an application gets for a request: the answer, the chunks, or the error. */
async function send(Client: typeof OpenAI, request: () => unknown, fetch?: () => Promise<Response>): Promise<unknown> {
  const client = new Client({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0, ...(fetch ? { fetch } : {}) })
  try {
    const answer: unknown = await client.chat.completions.create(request() as never)
    if (typeof answer !== 'object' || answer === null || !(Symbol.asyncIterator in answer)) return comparable(answer)
    const chunks: unknown[] = []
    for await (const chunk of answer as AsyncIterable<unknown>) chunks.push(chunk)
    return chunks
  } catch (error) {
    return error instanceof Error ? [error.constructor.name, error.message] : error
  }
}

function comparable(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer
  return { ...answer, id: 'differs', created: 'differs' }
}
