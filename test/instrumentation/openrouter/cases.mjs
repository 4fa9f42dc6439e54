import { createRequire } from 'node:module'
import {
  abortable,
  breakOf,
  collect,
  dropHalfRead,
  errorOf,
  failReading,
  fiftyAtOnce,
  QUESTION,
  readUntil,
  SCHEMA,
  WEATHER,
  WEATHER_QUESTION,
} from '../harness/kit.mjs'
import { standIn } from '../harness/stand-in.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

const refusing = await standIn(({ body }) => {
  const code = Number(/\d+$/.exec(body.model))
  return { status: code, body: { error: { code, message: `The model ${body.model} fails` } } }
})

export function connect({ exports: { OpenRouter }, url }, serverURL = `${url}/v1`) {
  const retryConfig = { strategy: 'none' }
  const client = new OpenRouter({ serverURL, apiKey: 'sk-not-to-be-seen', retryConfig })
  const isOld = !('embeddings' in client)
  return {
    embeddings: client.embeddings,
    // Each version has another name for the body, and the oldest none.
    send: (body, options) =>
      client.chat.send(isOld ? body : { chatRequest: body, chatGenerationParams: body }, options),
  }
}

const ask = (content, more = {}) => ({ model: 'gpt-test', messages: [{ role: 'user', content }], ...more })
const tools = [{ type: 'function', function: WEATHER }]

const refused = (kit, code, more = {}) =>
  connect(kit, refusing.url).send(ask(QUESTION, { model: `error-${code}`, ...more }))

const both =
  (model) =>
  async ({ client }) => {
    const asked = ask(QUESTION, { model })
    const streamed = { ...asked, stream: true, streamOptions: { includeUsage: true } }
    return [await client.send(asked), await collect(await client.send(streamed))]
  }

export const cases = {
  plain: ({ client }) => client.send(ask(QUESTION, { temperature: 0.5, maxTokens: 100, topP: 0.9 })),
  streamed: async ({ client }) =>
    collect(await client.send(ask(QUESTION, { stream: true, streamOptions: { includeUsage: true } }))),
  tools: async ({ client }) => {
    const question = ask(WEATHER_QUESTION, { tools })
    const { choices } = await client.send(question)
    const [{ message }] = choices
    const results = message.toolCalls.map(({ id }) => ({ role: 'tool', toolCallId: id, content: 'sunny' }))
    return client.send({ ...question, messages: [...question.messages, message, ...results] })
  },
  'streamed tools': async ({ client }) => collect(await client.send(ask(WEATHER_QUESTION, { tools, stream: true }))),
  'structured output': ({ client }) => {
    const responseFormat = { type: 'json_schema', jsonSchema: { name: 'place', schema: SCHEMA } }
    return client.send(ask(QUESTION, { responseFormat }))
  },
  'error 429': { since: 0.12, does: (kit) => errorOf(refused(kit, 429)) },
  'error on a stream': { since: 0.12, does: (kit) => errorOf(refused(kit, 400, { stream: true })) },
  'error 429 in older words': { before: 0.12, does: (kit) => errorOf(refused(kit, 429)) },
  'error on a stream in older words': { before: 0.12, does: (kit) => errorOf(refused(kit, 400, { stream: true })) },
  'aborted before the answer': ({ client }) => {
    const controller = new AbortController()
    const answer = client.send(ask(QUESTION, { model: 'hang' }), { fetchOptions: { signal: controller.signal } })
    setTimeout(() => controller.abort(), 20)
    return errorOf(answer)
  },
  'aborted during the answer': async ({ client }) => {
    const { signal, abort } = abortable()
    const stream = await client.send(ask(QUESTION, { model: 'stall', stream: true }), { fetchOptions: { signal } })
    return errorOf(readUntil(stream, abort))
  },
  timeout: ({ client }) => errorOf(client.send(ask(QUESTION, { model: 'hang' }), { timeoutMs: 50 })),
  'left early': async ({ client }) =>
    readUntil(await client.send(ask(QUESTION, { stream: true })), (_, { length }) => length === 3),
  'the reader throws': async ({ client }) => failReading(await client.send(ask(QUESTION, { stream: true }))),
  'a stream that breaks': async ({ client }) =>
    breakOf(await client.send(ask(QUESTION, { model: 'cut', stream: true }))),
  'abandoned, unread': async ({ client }) => Object.keys(await client.send(ask(QUESTION, { stream: true }))),
  'abandoned, half read': async ({ client }) => dropHalfRead(await client.send(ask(QUESTION, { stream: true }))),
  'an answer that is too long': both('truncated'),
  'a refusal': both('refused'),
  'a filtered answer': both('filtered'),
  embeddings: {
    since: 0.12,
    does: async ({ client }) => {
      const { data } = await client.embeddings.generate({ requestBody: { model: 'embed-test', input: [QUESTION] } })
      return data.length
    },
  },
  '50 at once': ({ client }) =>
    fiftyAtOnce(async (number) => {
      const question = ask(`Question ${number}?`)
      if (Number(number) % 2) return (await client.send(question)).choices[0].message
      return (await collect(await client.send({ ...question, stream: true }))).length
    }),
}
