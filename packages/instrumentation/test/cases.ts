import type * as module7 from 'openai'
import type OpenAI from 'openai'
import { expect } from 'vitest'
import type { RecordedSpan } from './spans.ts'

/** The package under test: types are those of the newest major, of which these cases use what all have. */
export type OpenAIModule = typeof module7

export interface Kit {
  readonly openai: OpenAIModule
  readonly client: OpenAI
  readonly url: string
}

/** Something an application does, what it gets to see, and what the spans tell of it. */
export interface Case {
  readonly does: (kit: Kit) => Promise<unknown>
  readonly spans: readonly RecordedSpan[]
}

const messages = [{ role: 'user' as const, content: 'What is a span?' }]
const about = { model: 'gpt-4o-mini', messages }
const ANSWER = 'You asked "What is a span?". The short version: it depends, but less than people think.'
const answered = { name: 'chat gpt-4o-mini', output: [ANSWER], finish: ['stop'] }
const streamed = { ...answered, streamed: true } as const

const tools = [
  {
    type: 'function' as const,
    function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
  },
]
const weather = {
  ...about,
  tools,
  messages: [{ role: 'user' as const, content: 'How is the weather in Paris and Rome?' }],
}
const called = {
  name: 'chat gpt-4o-mini',
  output: ['weather({"city":"Paris"}); weather({"city":"Rome"})'],
  finish: ['tool_calls'],
}

const schema = { type: 'object', properties: { city: { type: 'string' }, count: { type: 'integer' } } }
const typed = { type: 'json_schema', name: 'place', schema } as const
const place = '{"city":"a city","count":42}'

export const cases: Readonly<Record<string, Case>> = {
  'a completion': {
    does: ({ client }) => client.chat.completions.create(about),
    spans: [answered],
  },
  'two choices': {
    does: ({ client }) => client.chat.completions.create({ ...about, n: 2 }),
    spans: [{ ...answered, output: [ANSWER, second(ANSWER)], finish: ['stop', 'stop'] }],
  },
  'tool calls': {
    does: ({ client }) => client.chat.completions.create(weather),
    spans: [called],
  },
  'a stream': {
    does: async ({ client }) => collect(await client.chat.completions.create({ ...about, stream: true })),
    spans: [streamed],
  },
  'a stream of two choices': {
    does: async ({ client }) => collect(await client.chat.completions.create({ ...about, n: 2, stream: true })),
    spans: [{ ...streamed, output: [ANSWER, second(ANSWER)], finish: ['stop', 'stop'] }],
  },
  'a stream of tool calls': {
    does: async ({ client }) => collect(await client.chat.completions.create({ ...weather, stream: true })),
    spans: [{ ...called, streamed: true }],
  },
  'withResponse()': {
    async does({ client }) {
      const { data, response } = await client.chat.completions.create(about).withResponse()
      return [data, response.status, response.bodyUsed, Object.getOwnPropertyNames(response)]
    },
    spans: [answered],
  },
  'withResponse() of a stream': {
    async does({ client }) {
      const { data, response } = await client.chat.completions.create({ ...about, stream: true }).withResponse()
      return [await collect(data), response.status]
    },
    spans: [streamed],
  },
  'asResponse() read as JSON': {
    does: async ({ client }) => (await client.chat.completions.create(about).asResponse()).json(),
    spans: [answered],
  },
  'asResponse() read as text': {
    does: async ({ client }) => JSON.parse(await (await client.chat.completions.create(about).asResponse()).text()),
    spans: [answered],
  },
  'asResponse() and the answer of one promise': {
    async does({ client }) {
      const promise = client.chat.completions.create(about)
      const response = await promise.asResponse()
      return [response.status, await promise]
    },
    spans: [answered],
  },
  'the shape of what comes back': {
    async does({ client }) {
      const promise = client.chat.completions.create({ ...about, stream: true })
      const stream = await promise
      const iterator = stream[Symbol.asyncIterator]()
      const shapes = [promise, stream, iterator].map((it) => [Object.keys(it), it.constructor?.name, String(it)])
      return [shapes, await collect({ [Symbol.asyncIterator]: () => iterator })]
    },
    spans: [streamed],
  },
  'one promise awaited twice': {
    async does({ client }) {
      const promise = client.chat.completions.create(about)
      const [first, second] = [await promise, await promise]
      return first === second
    },
    spans: [answered],
  },
  'chat.completions.parse': {
    does: ({ client }) =>
      helpers(client).parse({ ...about, response_format: { type: 'json_schema', json_schema: typed } }),
    spans: [{ ...answered, output: [place] }],
  },
  'responses.parse': {
    does: ({ client }) =>
      client.responses.parse({ model: 'gpt-4o-mini', input: 'Where?', text: { format: { ...typed, strict: true } } }),
    spans: [{ ...answered, output: [place], finish: ['completed'] }],
  },
  'the stream() helper': {
    async does({ client }) {
      const events: string[] = []
      const helper = helpers(client).stream(about)
      helper.on('content', (delta) => events.push(delta)).on('end', () => events.push('end'))
      return [await helper.finalContent(), events]
    },
    spans: [streamed],
  },
  'the responses.stream() helper': {
    async does({ client }) {
      const helper = client.responses.stream({ model: 'gpt-4o-mini', input: 'What is a span?' })
      const types = (await collect(helper)).map(({ type }) => type)
      return [types, (await helper.finalResponse()).output_text]
    },
    spans: [{ ...streamed, finish: ['completed'] }],
  },
  'tee()': {
    async does({ client }) {
      const [left, right] = (await client.chat.completions.create({ ...about, stream: true })).tee()
      return [await collect(left), await collect(right)]
    },
    spans: [streamed],
  },
  'toReadableStream()': {
    async does({ client }) {
      const stream = await client.chat.completions.create({ ...about, stream: true })
      return JSON.parse(`[${(await new Response(stream.toReadableStream()).text()).trim().replaceAll('\n', ',')}]`)
    },
    spans: [streamed],
  },
  runTools: {
    async does({ client }) {
      const cities: unknown[] = []
      const [tool] = tools
      const run = (input: { city: string }) => {
        cities.push(input.city)
        return `sunny in ${input.city}`
      }
      const runnable = { type: 'function' as const, function: { ...tool?.function, function: run, parse: JSON.parse } }
      const runner = helpers(client).runTools({ ...weather, tools: [runnable] } as never)
      return [await runner.finalContent(), cities]
    },
    spans: [
      called,
      { name: 'execute_tool weather', output: [] },
      { name: 'execute_tool weather', output: [] },
      { ...answered, output: ['Here is what I found: sunny in Paris; sunny in Rome.'] },
      { name: 'invoke_agent runTools', output: ['Here is what I found: sunny in Paris; sunny in Rome.'] },
    ],
  },
  'leaving the loop': {
    async does({ client }) {
      const stream = await client.chat.completions.create({ ...about, stream: true })
      let received = ''
      for await (const { choices } of stream) {
        received += choices[0]?.delta.content ?? ''
        if (received.split(' ').length > 2) break
      }
      return [received, stream.controller.signal.aborted]
    },
    spans: [
      {
        name: 'chat gpt-4o-mini',
        level: 'WARNING',
        outcome: 'stopped early',
        output: ['You asked "What'],
        streamed: true,
      },
    ],
  },
  'leaving the loop with the last word': {
    async does({ client }) {
      const stream = await client.chat.completions.create({ ...about, stream: true })
      for await (const { choices } of stream) if (choices[0]?.finish_reason) break
    },
    spans: [streamed],
  },
  'an error in the loop': {
    async does({ client }) {
      const stream = await client.chat.completions.create({ ...about, stream: true })
      const loop = async () => {
        for await (const { choices } of stream) if (choices[0]?.delta.content) throw new Error('mine')
      }
      return errorOf(loop())
    },
    spans: [{ name: 'chat gpt-4o-mini', level: 'WARNING', outcome: 'stopped early', output: ['You'], streamed: true }],
  },
  'reading a stream a second time': {
    async does({ client }) {
      const stream = await client.chat.completions.create({ ...about, stream: true })
      const iterator = stream[Symbol.asyncIterator]()
      await iterator.next()
      return [await errorOf(collect(stream)), await collect({ [Symbol.asyncIterator]: () => iterator })]
    },
    spans: [streamed],
  },
  'aborting before the answer': {
    async does({ openai: { OpenAI }, url }) {
      const controller = new AbortController()
      const abortingFetch: typeof fetch = (...args) => {
        setImmediate(() => controller.abort())
        return fetch(...args)
      }
      const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', fetch: abortingFetch as never })
      return errorOf(client.chat.completions.create({ ...about, model: 'hang' }, { signal: controller.signal }))
    },
    spans: [{ name: 'chat hang', level: 'WARNING', outcome: 'cancelled', output: [] }],
  },
  'aborting a stream': {
    async does({ client }) {
      const stream = await client.chat.completions.create({ ...about, model: 'slow', stream: true })
      let received = ''
      const reading = (async () => {
        for await (const { choices } of stream) {
          received += choices[0]?.delta.content ?? ''
          if (received === 'one word') stream.controller.abort()
        }
      })()
      return [await reading.then(() => 'ended', describe), received]
    },
    spans: [{ name: 'chat slow', level: 'WARNING', outcome: 'cancelled', output: ['one word'], streamed: true }],
  },
  'a rate limit': {
    does: ({ client }) => errorOf(client.chat.completions.create({ ...about, model: 'error-429' }, { maxRetries: 0 })),
    spans: [{ name: 'chat error-429', error: 'RateLimitError: 429 The model error-429 fails', output: [] }],
  },
  'a refused stream': {
    does: ({ client }) =>
      errorOf(client.chat.completions.create({ ...about, model: 'error-400', stream: true }).withResponse()),
    spans: [{ name: 'chat error-400', error: 'BadRequestError: 400 The model error-400 fails', output: [] }],
  },
  'a timeout': {
    does: ({ client }) =>
      errorOf(client.chat.completions.create({ ...about, model: 'hang' }, { timeout: 50, maxRetries: 0 })),
    spans: [{ name: 'chat hang', error: 'APIConnectionTimeoutError: Request timed out.', output: [] }],
  },
  'two retries': {
    does: ({ client }) => client.chat.completions.create({ ...about, model: 'flaky' }),
    spans: [{ ...answered, name: 'chat flaky' }],
  },
  embeddings: {
    does: ({ client }) => client.embeddings.create({ model: 'text-embedding-3-small', input: ['a', 'b'] }),
    spans: [{ name: 'embeddings text-embedding-3-small', output: [] }],
  },
  'embeddings in a chosen encoding': {
    does: ({ client }) =>
      client.embeddings.create({ model: 'text-embedding-3-small', input: 'a', encoding_format: 'float' }),
    spans: [{ name: 'embeddings text-embedding-3-small', output: [] }],
  },
  'a response': {
    does: ({ client }) => client.responses.create({ model: 'gpt-4o-mini', input: 'What is a span?' }),
    spans: [{ ...answered, finish: ['completed'] }],
  },
  'a streamed response': {
    does: async ({ client }) =>
      collect(await client.responses.create({ model: 'gpt-5-mini', input: 'What is a span?', stream: true })),
    spans: [
      {
        name: 'chat gpt-5-mini',
        output: [`The user wants a short answer, so I will keep it short.; ${ANSWER}`],
        finish: ['completed'],
        streamed: true,
      },
    ],
  },
  'leaving a streamed response': {
    async does({ client }) {
      const stream = await client.responses.create({ model: 'gpt-4o-mini', input: 'What is a span?', stream: true })
      for await (const event of stream) if (event.type === 'response.output_text.delta') break
    },
    spans: [{ name: 'chat gpt-4o-mini', level: 'WARNING', outcome: 'stopped early', output: ['You'], streamed: true }],
  },
  'a completion of old': {
    does: ({ client }) => client.completions.create({ model: 'gpt-3.5-turbo-instruct', prompt: 'What is a span?' }),
    spans: [{ ...answered, name: 'text_completion gpt-3.5-turbo-instruct' }],
  },
  'a streamed completion of old': {
    does: async ({ client }) =>
      collect(
        await client.completions.create({
          model: 'gpt-3.5-turbo-instruct',
          prompt: 'What is a span?',
          stream: true,
        }),
      ),
    spans: [{ ...streamed, name: 'text_completion gpt-3.5-turbo-instruct' }],
  },
  AzureOpenAI: {
    does: ({ openai: { AzureOpenAI }, url }) =>
      new AzureOpenAI({ endpoint: url, apiKey: 'none', apiVersion: '2024-10-21' }).chat.completions.create(about),
    spans: [answered],
  },
  'a stream that breaks': {
    async does({ client }) {
      const stream = await client.chat.completions.create({ ...about, model: 'cut', stream: true })
      let received = ''
      const reading = (async () => {
        for await (const { choices } of stream) received += choices[0]?.delta.content ?? ''
      })()
      return [received, await errorOf(reading)]
    },
    spans: [
      {
        name: 'chat cut',
        error: expect.stringMatching(/^(Error: Premature close|TypeError: terminated)$/),
        output: ['You asked "What is a span?". The short version:'],
        streamed: true,
      },
    ],
  },
  'listing models': {
    does: ({ client }) => collect(client.models.list()),
    spans: [],
  },
}

/** The second choice of the model server is its next sentence. */
function second(answer: string): string {
  return answer.replace(/The short.*/, 'Start with the smallest thing that could work and measure it.')
}

/** Up to version 4 they were in beta. */
function helpers({ chat, beta }: OpenAI): OpenAI['chat']['completions'] {
  return 'parse' in chat.completions ? chat.completions : (beta as unknown as OpenAI).chat.completions
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

async function errorOf(promise: PromiseLike<unknown>): Promise<unknown> {
  return promise.then(() => undefined, describe)
}

function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { message, name, status } = error as Error & { status?: number }
  return [error.constructor.name, name, status, message]
}
