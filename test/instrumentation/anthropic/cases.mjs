import { once } from 'node:events'
import { createRequire } from 'node:module'
import { jobs } from '../harness/jobs.mjs'
import {
  abortingFetch,
  breakOf,
  collect,
  dropHalfRead,
  errorOf,
  failReading,
  fiftyAtOnce,
  fitting,
  QUESTION,
  readUntil,
  SCHEMA,
  shapeOf,
  WEATHER,
  WEATHER_QUESTION,
} from '../harness/kit.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

export function connect({ exports: { Anthropic }, url }, options = {}) {
  return new Anthropic({ baseURL: url, apiKey: 'sk-not-to-be-seen', ...options })
}

const ask = (content, more = {}) => {
  return { model: 'claude-test', max_tokens: 1_000, messages: [{ role: 'user', content }], ...more }
}
const about = ask(QUESTION)
const tools = [{ name: WEATHER.name, description: WEATHER.description, input_schema: WEATHER.parameters }]
const weather = ask(WEATHER_QUESTION, { tools })
const thinking = { type: 'enabled', budget_tokens: 1_024 }
const PIXEL = 'iVBORw0KGgo='

const runnable = ask(WEATHER_QUESTION, { tools: [{ ...tools[0], run: ({ city }) => `sunny in ${city}` }] })
const runTools = async ({ client }) => client.beta.messages.toolRunner(runnable)
const streamTools = async ({ client }) => {
  const runner = client.beta.messages.toolRunner({ ...runnable, stream: true })
  const counts = []
  for await (const stream of runner) counts.push((await collect(stream)).length)
  return [counts, await runner.done()]
}

const both =
  (model) =>
  async ({ client }) => {
    const asked = { ...about, model }
    return [
      await client.messages.create(asked),
      await collect(await client.messages.create({ ...asked, stream: true })),
    ]
  }

/** What the helpers say of an answer that they do not take. */
const checkedBy =
  (model) =>
  async ({ client }) => {
    const format = { type: 'json_schema', schema: SCHEMA, parse: fitting }
    const asked = { ...about, model, output_config: { format } }
    return [await errorOf(client.messages.parse(asked)), await errorOf(client.messages.stream(asked).finalMessage())]
  }

export const cases = {
  plain: ({ client }) =>
    client.messages.create({
      ...about,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      stop_sequences: ['END'],
    }),
  streamed: async ({ client }) => collect(await client.messages.create({ ...about, stream: true })),
  thinking: ({ client }) => client.messages.create({ ...about, thinking }),
  'streamed thinking': async ({ client }) =>
    collect(await client.messages.create({ ...about, thinking, stream: true })),
  picture: ({ client }) => {
    const source = { type: 'url', url: 'https://example.com/cat.png' }
    return client.messages.create(
      ask([
        { type: 'image', source },
        { type: 'text', text: QUESTION },
      ]),
    )
  },
  tools: async ({ client }) => {
    const first = await client.messages.create(weather)
    const answers = first.content.flatMap(({ type, id }) => {
      return type === 'tool_use' ? [{ type: 'tool_result', tool_use_id: id, content: 'sunny' }] : []
    })
    const messages = [
      ...weather.messages,
      { role: 'assistant', content: first.content },
      { role: 'user', content: answers },
    ]
    return client.messages.create({ ...weather, messages })
  },
  'streamed tools': async ({ client }) => collect(await client.messages.create({ ...weather, stream: true })),
  'stream helper': async ({ client }) => {
    const texts = []
    const stream = client.messages.stream(about).on('text', (text) => texts.push(text))
    return [await stream.finalMessage(), texts]
  },
  'structured output': ({ client }) =>
    client.messages.create({ ...about, output_config: { format: { type: 'json_schema', schema: SCHEMA } } }),
  parsed: {
    since: '0.137',
    does: ({ client }) => {
      const parse = (text) => JSON.parse(text)
      const format = { type: 'json_schema', schema: SCHEMA, parse }
      return client.messages.parse({ ...about, output_config: { format } })
    },
  },
  // From version 1 on it sends only what is new, and names the message before.
  'tool runner': { since: 1, does: runTools },
  'streamed tool runner': { since: 1, does: streamTools },
  'tool runner of an older version': { since: '0.137', before: 1, does: runTools },
  'streamed tool runner of an older version': { since: '0.137', before: 1, does: streamTools },
  beta: ({ client }) => client.beta.messages.create({ ...about, betas: ['context-1m-2025-08-07'] }),
  'error 429': ({ client }) => errorOf(client.messages.create({ ...about, model: 'error-429' }, { maxRetries: 2 })),
  'error on a stream': ({ client }) => errorOf(client.messages.create({ ...about, model: 'error-400', stream: true })),
  'error nobody handles': async ({ client }) => {
    client.messages.create({ ...about, model: 'error-401' })
    await once(process, 'unhandledRejection')
  },
  'two retries': ({ client }) => client.messages.create({ ...about, model: 'flaky' }),
  timeout: ({ client }) => errorOf(client.messages.create({ ...about, model: 'hang' }, { timeout: 50, maxRetries: 0 })),
  'aborted before the answer': ({ exports, url }) => {
    const { signal, fetch } = abortingFetch()
    return errorOf(connect({ exports, url }, { fetch }).messages.create({ ...about, model: 'hang' }, { signal }))
  },
  'aborted during the answer': async ({ client }) => {
    const stream = await client.messages.create({ ...about, model: 'stall', stream: true })
    return readUntil(stream, ({ delta }) => {
      if (delta?.text === ' word') stream.controller.abort()
    })
  },
  'left early': async ({ client }) => {
    const stream = await client.messages.create({ ...about, stream: true })
    return readUntil(stream, ({ delta }) => delta?.text === ' asked')
  },
  'the reader throws': async ({ client }) => failReading(await client.messages.create({ ...about, stream: true })),
  'a stream that breaks': async ({ client }) =>
    breakOf(await client.messages.create({ ...about, model: 'cut', stream: true })),
  'abandoned, unread': async ({ client }) => shapeOf(await client.messages.create({ ...about, stream: true })),
  'abandoned, half read': async ({ client }) => dropHalfRead(await client.messages.create({ ...about, stream: true })),
  helpers: async ({ client }) => {
    const promise = client.messages.create(about)
    const { data, response } = await promise.withResponse()
    const raw = await client.messages.create(about).asResponse()
    const [left, right] = (await client.messages.create({ ...about, stream: true })).tee()
    const stream = await client.messages.create({ ...about, stream: true })
    return [
      ...[shapeOf(promise), data, response.status, await raw.json(), (await promise) === data],
      ...[await collect(left), await collect(right), shapeOf(stream)],
      await new Response(stream.toReadableStream()).text(),
    ]
  },
  "the library's own spans, of which nothing more is said": {
    since: 1,
    does: ({ exports, url }) =>
      connect({ exports, url }, { openTelemetry: { propagation: false } }).messages.create(about),
  },
  "the library's own spans without content": {
    since: 1,
    does: ({ exports, url }) => {
      const openTelemetry = { traces: { contentMode: 'metadata_only' }, propagation: false }
      return connect({ exports, url }, { openTelemetry }).messages.create(about)
    },
  },
  "the library's own spans": {
    since: 1,
    does: ({ exports, url }) => {
      const openTelemetry = { traces: { enabled: true, contentMode: 'content' }, propagation: false }
      return connect({ exports, url }, { openTelemetry }).messages.create(about)
    },
  },
  'picture in base64': ({ client }) => {
    const source = { type: 'base64', media_type: 'image/png', data: PIXEL }
    return client.messages.create(ask([{ type: 'image', source }]))
  },
  'an answer that is too long': both('truncated'),
  'a refusal': both('refused'),
  'an answer that does not fit': { since: '0.137', does: checkedBy('misfit') },
  "a helper's check": { since: '0.137', does: checkedBy('truncated') },
  'a batch': async ({ exports }) => {
    const { batches } = connect({ exports, url: jobs.url }).messages
    const params = { model: 'claude-test', max_tokens: 100, messages: about.messages }
    const { id } = await batches.create({ requests: [{ custom_id: 'one', params }] })
    const states = [await batches.retrieve(id), await batches.retrieve(id)]
    return [states, await collect(await batches.results(id))]
  },
  'a file by its id': ({ client }) => {
    const document = { type: 'document', source: { type: 'file', file_id: 'file_1' } }
    return client.beta.messages.create(ask([document, { type: 'text', text: QUESTION }]))
  },
  '50 at once': ({ client }) =>
    fiftyAtOnce(async (number) => {
      const question = ask(`Question ${number}?`)
      if (Number(number) % 2) return (await client.messages.create(question)).content
      return (await collect(await client.messages.create({ ...question, stream: true }))).length
    }),
}
