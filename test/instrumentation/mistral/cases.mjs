import { createRequire } from 'node:module'
import { z } from 'zod/v4'
import { jobs } from '../harness/jobs.mjs'
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

export function connect({ exports: { Mistral }, url }, options = {}) {
  return new Mistral({ serverURL: `${url}/mistral`, apiKey: 'sk-not-to-be-seen', ...options })
}

const ask = (content, more = {}) => ({ model: 'mistral-small', messages: [{ role: 'user', content }], ...more })
const about = ask(QUESTION)
const weather = ask(WEATHER_QUESTION, { tools: [{ type: 'function', function: WEATHER }] })
const typed = { type: 'json_schema', jsonSchema: { name: 'place', schemaDefinition: SCHEMA } }
const once = { retries: { strategy: 'none' } }
const wordOf = ({ data }) => data.choices[0]?.delta.content

/** What an application can tell of an error of every version. */
const failureOf = async (promise) => {
  const { class: name, message } = (await errorOf(promise)) ?? {}
  return [name, message]
}

/** What every version has. The first ones lose what arrives together with the end of a stream: no streams, then. */
const first = {
  plain: ({ client }) =>
    client.chat.complete({
      ...about,
      messages: [{ role: 'system', content: 'Be brief.' }, ...about.messages],
      ...{ temperature: 0.5, maxTokens: 100, topP: 0.9, randomSeed: 7, stop: ['END'] },
    }),
  'two retries': ({ client }) => {
    const backoff = { initialInterval: 1, maxInterval: 1, exponent: 1, maxElapsedTime: 10_000 }
    return client.chat.complete(ask(QUESTION, { model: 'flaky' }), { retries: { strategy: 'backoff', backoff } })
  },
  timeout: ({ client }) =>
    failureOf(client.chat.complete(ask(QUESTION, { model: 'hang' }), { ...once, timeoutMs: 50 })),
  'aborted before the answer': ({ exports, url }) => {
    const { signal, fetch } = abortingFetch()
    const httpClient = { request: fetch, clone: () => httpClient }
    const client = connect({ exports, url }, { httpClient })
    return failureOf(client.chat.complete(ask(QUESTION, { model: 'hang' }), { ...once, fetchOptions: { signal } }))
  },
  'left early': async ({ client }) => readUntil(await client.chat.stream(about), (_, { length }) => length === 3),
  'the reader throws': async ({ client }) => failReading(await client.chat.stream(about)),
  'a stream that breaks': async ({ client }) => breakOf(await client.chat.stream(ask(QUESTION, { model: 'cut' }))),
  'the shape of a promise': async ({ client }) => {
    const promise = client.chat.complete(about)
    return [shapeOf(promise), Object.keys(await promise)]
  },
  'code in the middle': ({ client }) => client.fim.complete({ model: 'codestral', prompt: 'const a = ', suffix: '\n' }),
  embeddings: ({ client }) => client.embeddings.create({ model: 'mistral-embed', inputs: ['a', 'b'] }),
}

const later = {
  'an answer that is too long': async ({ client }) => {
    const cut = ask(QUESTION, { model: 'truncated' })
    return [await client.chat.complete(cut), await collect(await client.chat.stream(cut))]
  },
  'a batch': async ({ exports }) => {
    const { batch, files } = new exports.Mistral({ serverURL: jobs.url, apiKey: 'sk-not-to-be-seen' })
    const { id } = await batch.jobs.create({
      ...{ inputFiles: ['file-in'], model: 'mistral-small', endpoint: '/v1/chat/completions' },
    })
    const states = [await batch.jobs.get({ jobId: id }), await batch.jobs.get({ jobId: id })]
    return [states.map(({ status }) => status), typeof (await files.download({ fileId: 'file-mistral' }))]
  },
  'a file by its id': ({ client }) =>
    client.chat.complete(
      ask([
        { type: 'file', fileId: 'file-1' },
        { type: 'text', text: QUESTION },
      ]),
    ),
  streamed: async ({ client }) => collect(await client.chat.stream(about)),
  tools: async ({ client }) => {
    const { choices } = await client.chat.complete(weather)
    const [{ message }] = choices
    const answers = message.toolCalls.map(({ id, function: { name } }) => {
      return { role: 'tool', name, content: 'sunny', toolCallId: id }
    })
    return client.chat.complete({ ...weather, messages: [...weather.messages, message, ...answers] })
  },
  'streamed tools': async ({ client }) => collect(await client.chat.stream(weather)),
  'structured output': ({ client }) => client.chat.complete(ask(QUESTION, { responseFormat: typed })),
  'a picture': ({ client }) => {
    const picture = { type: 'image_url', imageUrl: 'https://example.com/cat.png' }
    return client.chat.complete(ask([{ type: 'text', text: QUESTION }, picture]))
  },
  'cached tokens': async ({ client }) => {
    const cached = ask(QUESTION, { model: 'mistral-cached' })
    return [await client.chat.complete(cached), await collect(await client.chat.stream(cached))]
  },
  'error 429': ({ client }) => failureOf(client.chat.complete(ask(QUESTION, { model: 'error-429' }), once)),
  'error on a stream': ({ client }) => failureOf(client.chat.stream(ask(QUESTION, { model: 'error-400' }), once)),
  'error nobody handles': async ({ client }) => {
    client.chat.complete(ask(QUESTION, { model: 'error-401' }), once)
    await new Promise((resolve) => process.once('unhandledRejection', resolve))
  },
  'aborted during the answer': async ({ client }) => {
    const controller = new AbortController()
    const fetchOptions = { signal: controller.signal }
    const stream = await client.chat.stream(ask(QUESTION, { model: 'stall' }), { fetchOptions })
    const chunks = []
    const reading = readUntil(stream, (event) => {
      chunks.push(event)
      if (wordOf(event) === ' word') controller.abort()
    })
    return [(await errorOf(reading))?.name, chunks]
  },
  'abandoned, unread': async ({ client }) => {
    const stream = await client.chat.stream(about)
    return [stream.constructor.name, Object.keys(stream), stream.locked]
  },
  'abandoned, half read': async ({ client }) => dropHalfRead(await client.chat.stream(about)),
  'an agent': async ({ client }) => [
    await client.agents.complete({ agentId: 'ag:1', messages: about.messages }),
    await collect(await client.agents.stream({ agentId: 'ag:1', messages: about.messages })),
  ],
  'streamed code in the middle': async ({ client }) =>
    collect(await client.fim.stream({ model: 'codestral', prompt: 'const a = ' })),
  '50 at once': ({ client }) =>
    fiftyAtOnce(async (number) => {
      const question = ask(`Question ${number}?`)
      if (Number(number) % 2) return (await client.chat.complete(question)).choices[0].message.content
      return (await collect(await client.chat.stream(question))).length
    }),
}

/** What the helpers say of an answer that they do not take. */
function checkedBy(model) {
  return async ({ client }) => {
    const asked = ask(QUESTION, { model, responseFormat: z.object({ city: z.string(), count: z.int() }) })
    return [await failureOf(client.chat.parse(asked)), await failureOf(client.chat.parseStream(asked).then(collect))]
  }
}

export const cases = {
  ...first,
  ...Object.fromEntries(Object.entries(later).map(([title, does]) => [title, { since: 1.1, does }])),
  // In other words than later.
  'error 429 of the first versions': {
    before: 1.1,
    does: ({ client }) => failureOf(client.chat.complete(ask(QUESTION, { model: 'error-429' }), once)),
  },
  parsed: {
    since: 2,
    does: async ({ client }) => {
      const responseFormat = z.object({ city: z.string(), count: z.int() })
      const { choices } = await client.chat.parse(ask(QUESTION, { responseFormat }))
      return [choices, await collect(await client.chat.parseStream(ask(QUESTION, { responseFormat })))]
    },
  },
  'an answer that does not fit': { since: 2, does: checkedBy('misfit') },
  "a helper's check": { since: 2, does: checkedBy('truncated') },
  // Told of by the library itself.
  'a document': {
    since: 2,
    does: ({ client }) =>
      client.ocr.process({
        model: 'mistral-ocr',
        document: { type: 'document_url', documentUrl: 'https://example.com/a.pdf' },
      }),
  },
}
