import { once } from 'node:events'
import { createRequire } from 'node:module'
import {
  abortingFetch,
  breakOf,
  collect,
  dropHalfRead,
  errorOf,
  failReading,
  fiftyAtOnce,
  QUESTION,
  readUntil,
  SCHEMA,
  shapeOf,
  WEATHER,
  WEATHER_QUESTION,
} from '../harness/kit.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

export function connect({ exports: { Ollama }, url }, options = {}) {
  return new Ollama({ host: url, ...options })
}

const ask = (content, more = {}) => ({ model: 'llama-test', messages: [{ role: 'user', content }], ...more })
const weather = ask(WEATHER_QUESTION, { tools: [{ type: 'function', function: WEATHER }] })

export const cases = {
  plain: ({ client }) =>
    client.chat({
      ...ask(QUESTION),
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: QUESTION },
      ],
      options: { temperature: 0.5, top_p: 0.9, top_k: 40, num_predict: 100, seed: 7, stop: ['END'] },
    }),
  streamed: async ({ client }) => collect(await client.chat(ask(QUESTION, { stream: true }))),
  thinking: ({ client }) => client.chat(ask(QUESTION, { think: true })),
  'streamed thinking': async ({ client }) => collect(await client.chat(ask(QUESTION, { think: true, stream: true }))),
  picture: ({ client }) =>
    client.chat({ model: 'llama-test', messages: [{ role: 'user', content: QUESTION, images: ['iVBORw0KGgo='] }] }),
  tools: async ({ client }) => {
    const { message } = await client.chat(weather)
    const answers = message.tool_calls.map(() => ({ role: 'tool', content: 'sunny', tool_name: 'weather' }))
    return client.chat({ ...weather, messages: [...weather.messages, message, ...answers] })
  },
  'streamed tools': async ({ client }) => collect(await client.chat({ ...weather, stream: true })),
  'structured output': ({ client }) => client.chat(ask(QUESTION, { format: SCHEMA })),
  generate: ({ client }) => client.generate({ model: 'llama-test', prompt: QUESTION, system: 'Be brief.' }),
  'streamed generate': async ({ client }) =>
    collect(await client.generate({ model: 'llama-test', prompt: QUESTION, stream: true })),
  'error 429': ({ client }) => errorOf(client.chat(ask(QUESTION, { model: 'error-429' }))),
  'error on a stream': ({ client }) => errorOf(client.chat(ask(QUESTION, { model: 'error-400', stream: true }))),
  'error nobody handles': async ({ client }) => {
    client.chat(ask(QUESTION, { model: 'error-401' }))
    await once(process, 'unhandledRejection')
  },
  timeout: ({ exports, url }) => {
    const timed = (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(50) })
    return errorOf(connect({ exports, url }, { fetch: timed }).chat(ask(QUESTION, { model: 'hang' })))
  },
  'aborted before the answer': ({ exports, url }) => {
    const { signal, fetch } = abortingFetch()
    const aborted = (input, init) => fetch(input, { ...init, signal })
    return errorOf(connect({ exports, url }, { fetch: aborted }).chat(ask(QUESTION, { model: 'hang' })))
  },
  // In the first version a stream is a generator, which can only be left.
  'aborted during the answer': {
    since: '0.5.18',
    does: async ({ client }) => {
      const stream = await client.chat(ask(QUESTION, { model: 'stall', stream: true }))
      return errorOf(
        readUntil(stream, ({ message }) => {
          if (message.content === ' word') stream.abort()
        }),
      )
    },
  },
  'left early': async ({ client }) =>
    readUntil(await client.chat(ask(QUESTION, { stream: true })), (_, { length }) => length === 2),
  'the reader throws': async ({ client }) => failReading(await client.chat(ask(QUESTION, { stream: true }))),
  'a stream that breaks': async ({ client }) =>
    breakOf(await client.chat(ask(QUESTION, { model: 'cut', stream: true }))),
  'abandoned, unread': async ({ client }) => shapeOf(await client.chat(ask(QUESTION, { stream: true }))),
  'abandoned, half read': async ({ client }) => dropHalfRead(await client.chat(ask(QUESTION, { stream: true }))),
  'the shape of a stream': async ({ client }) => {
    const stream = await client.chat(ask(QUESTION, { stream: true }))
    return [shapeOf(stream), await collect(stream)]
  },
  embeddings: {
    since: '0.5.18',
    does: ({ client }) => client.embed({ model: 'embedding-test', input: ['a', 'b'] }),
  },
  'an answer that is too long': async ({ client }) => {
    const cut = ask(QUESTION, { model: 'truncated' })
    return [await client.chat(cut), await collect(await client.chat({ ...cut, stream: true }))]
  },
  'embeddings, the former way': ({ client }) => client.embeddings({ model: 'embedding-test', prompt: 'a' }),
  '50 at once': ({ client }) =>
    fiftyAtOnce(async (number) => {
      const question = ask(`Question ${number}?`)
      if (Number(number) % 2) return (await client.chat(question)).message
      return (await collect(await client.chat({ ...question, stream: true }))).length
    }),
}
