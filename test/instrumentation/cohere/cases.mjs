import { once } from 'node:events'
import { createRequire } from 'node:module'
import {
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
import { v1Cases } from './v1.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

export function connect({ exports: { CohereClientV2 }, url }) {
  return new CohereClientV2({ token: 'sk-not-to-be-seen', environment: url })
}

const ask = (content, more = {}) => ({ model: 'command-test', messages: [{ role: 'user', content }], ...more })
const weather = ask(WEATHER_QUESTION, { tools: [{ type: 'function', function: WEATHER }] })
const noRetry = { maxRetries: 0 }
const soon = () => {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 50)
  return controller.signal
}

export const cases = {
  plain: ({ client }) =>
    client.chat({
      ...ask(QUESTION),
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: QUESTION },
      ],
      ...{ temperature: 0.5, p: 0.9, k: 40, maxTokens: 100, seed: 7, stopSequences: ['END'] },
    }),
  streamed: async ({ client }) => collect(await client.chatStream(ask(QUESTION))),
  tools: async ({ client }) => {
    const { message } = await client.chat(weather)
    const answers = message.toolCalls.map(({ id }) => ({ role: 'tool', toolCallId: id, content: 'sunny' }))
    return client.chat({ ...weather, messages: [...weather.messages, message, ...answers] })
  },
  'streamed tools': async ({ client }) => collect(await client.chatStream(weather)),
  'structured output': ({ client }) =>
    client.chat(ask(QUESTION, { responseFormat: { type: 'json_object', jsonSchema: SCHEMA } })),
  'error 429': ({ client }) => errorOf(client.chat(ask(QUESTION, { model: 'error-429' }), noRetry)),
  // Older versions throw what the server said away.
  'error on a stream': {
    since: 8,
    does: ({ client }) => errorOf(client.chatStream(ask(QUESTION, { model: 'error-400' }), noRetry)),
  },
  'error nobody handles': async ({ client }) => {
    client.chat(ask(QUESTION, { model: 'error-401' }))
    await once(process, 'unhandledRejection')
  },
  // It waits a second before each.
  'a retry': async ({ client }) => {
    const flaky = ask(QUESTION, { model: 'flaky' })
    await errorOf(client.chat(flaky, noRetry))
    return client.chat(flaky, { maxRetries: 1 })
  },
  timeout: ({ client }) =>
    errorOf(client.chat(ask(QUESTION, { model: 'hang' }), { ...noRetry, timeoutInSeconds: 0.05 })),
  'aborted before the answer': ({ client }) =>
    errorOf(client.chat(ask(QUESTION, { model: 'hang' }), { ...noRetry, abortSignal: soon() })),
  'aborted during the answer': async ({ client }) => {
    const controller = new AbortController()
    const stream = await client.chatStream(ask(QUESTION, { model: 'stall' }), { abortSignal: controller.signal })
    return errorOf(
      readUntil(stream, ({ delta }) => {
        if (delta?.message?.content?.text === ' word') controller.abort()
      }),
    )
  },
  'left early': async ({ client }) =>
    readUntil(await client.chatStream(ask(QUESTION)), (_, { length }) => length === 4),
  'the reader throws': async ({ client }) => failReading(await client.chatStream(ask(QUESTION))),
  'a stream that breaks': async ({ client }) => breakOf(await client.chatStream(ask(QUESTION, { model: 'cut' }))),
  'abandoned, unread': async ({ client }) => shapeOf(await client.chatStream(ask(QUESTION))),
  'abandoned, half read': async ({ client }) => dropHalfRead(await client.chatStream(ask(QUESTION))),
  'the shape of a promise': async ({ client }) => {
    const promise = client.chat(ask(QUESTION))
    return [shapeOf(promise), await promise]
  },
  embeddings: ({ client }) =>
    client.embed({
      model: 'embed-test',
      texts: ['a', 'b'],
      inputType: 'search_query',
      embeddingTypes: ['float'],
    }),
  'an answer that is too long': async ({ client }) => {
    const cut = ask(QUESTION, { model: 'truncated' })
    return [await client.chat(cut), await collect(await client.chatStream(cut))]
  },
  ...v1Cases,
  '50 at once': ({ client }) =>
    fiftyAtOnce(async (number) => {
      const question = ask(`Question ${number}?`)
      if (Number(number) % 2) return (await client.chat(question)).message
      return (await collect(await client.chatStream(question))).length
    }),
}
