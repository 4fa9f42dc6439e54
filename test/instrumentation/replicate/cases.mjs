import { createRequire } from 'node:module'
import {
  abortable,
  breakOf,
  collect,
  dropHalfRead,
  errorOf,
  failReading,
  QUESTION,
  readUntil,
} from '../harness/kit.mjs'
import { standIn } from '../harness/stand-in.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

const WORDS = ['A span', ' is one unit', ' of work.']
const metrics = { predict_time: 1.5, input_token_count: 12, output_token_count: 8 }
const event = (name, data) => `event: ${name}\nid: ${name}\ndata: ${data}`
const SPOKEN = [...WORDS.map((word) => event('output', word)), event('done', '{}')]

const server = await standIn(({ path, body }) => {
  const [, stream] = /^\/streams\/(.*)/.exec(path) ?? []
  if (/^(stalls|breaks)$/.test(stream)) return { events: SPOKEN.slice(0, 2), [stream]: true }
  if (stream) return { events: SPOKEN }
  const [, cancelled] = /^\/predictions\/(.*)\/cancel$/.exec(path) ?? []
  if (cancelled) return { body: { ...predictionOf(cancelled), status: 'canceled' } }
  const name = /^\/models\/acme\/(.*)\/predictions$/.exec(path)?.[1] ?? path.split('/').at(-1)
  if (name === 'missing') return { status: 404, body: { detail: 'No such model', status: 404 } }
  return { status: 201, body: predictionOf(name, body?.input) }
})

/** A prediction whose id is the name of its model. */
function predictionOf(name, input = { prompt: QUESTION }) {
  const urls = { get: `${server.url}/predictions/${name}`, stream: `${server.url}/streams/${name}` }
  const prediction = { id: name, model: `acme/${name}`, version: 'v1', input, urls }
  if (name === 'fails') return { ...prediction, status: 'failed', error: 'out of memory' }
  if (name === 'cancelled') return { ...prediction, status: 'canceled', output: null }
  if (name === 'goes-on') return { ...prediction, status: 'processing', output: null }
  const output = name === 'paints' ? ['https://files.example/1.png'] : WORDS
  return { ...prediction, status: 'succeeded', output, metrics }
}

export function connect({ exports }) {
  const Replicate = exports.default ?? exports
  return new Replicate({ auth: 'r8-not-to-be-seen', baseUrl: server.url, useFileOutput: false })
}

const input = { prompt: QUESTION, system_prompt: 'Be brief.', temperature: 0.5, max_tokens: 100 }

const failureOf = async (promise) => {
  const { class: name, message } = await errorOf(promise)
  return [name, message]
}

export const cases = {
  run: ({ client }) => client.run('acme/talks', { input }),
  'with its progress': async ({ client }) => {
    const seen = []
    await client.run('acme/talks', { input }, ({ status }) => seen.push(status))
    return seen
  },
  'a picture': ({ client }) =>
    client.run('acme/paints', { input: { prompt: 'A span', image: 'https://a.example/b.png' } }),
  'no prompt': ({ client }) =>
    client.run('acme/talks', { input: { audio: 'data:audio/mp3;base64,AAAA', language: 'en' } }),
  streamed: async ({ client }) => (await collect(client.stream('acme/talks', { input }))).map(String),
  'a prediction that is awaited': async ({ client }) => {
    const prediction = await client.predictions.create({ model: 'acme/talks', input })
    return (await client.wait({ ...prediction, status: 'starting' }, {})).output
  },
  'a prediction that is created': async ({ client }) =>
    (await client.predictions.create({ model: 'acme/talks', input })).status,
  'created and awaited at once': {
    since: 1,
    does: async ({ client }) => (await client.predictions.create({ model: 'acme/talks', input, wait: true })).output,
  },
  'a model that is missing': ({ client }) => failureOf(client.run('acme/missing', { input })),
  'a prediction that fails': ({ client }) => failureOf(client.run('acme/fails', { input })),
  'a stream of what is missing': ({ client }) => failureOf(collect(client.stream('acme/missing', { input }))),
  'cancelled while it is awaited': {
    before: 1,
    does: async ({ client }) => {
      const signal = AbortSignal.abort()
      const output = await client.run('acme/goes-on', { input, signal, wait: { interval: 1 } })
      return output === undefined || output === null
    },
  },
  'aborted before the answer': {
    since: 1,
    does: async ({ client }) => {
      const output = await client.run('acme/cancelled', { input, signal: AbortSignal.abort(), wait: { mode: 'poll' } })
      return output === undefined || output === null
    },
  },
  'left early': async ({ client }) =>
    (await readUntil(client.stream('acme/talks', { input }), (_, { length }) => length === 2)).map(String),
  'the reader throws': ({ client }) => failReading(client.stream('acme/talks', { input })),
  'a stream that breaks': ({ client }) => breakOf(client.stream('acme/breaks', { input })),
  'aborted during the answer': async ({ client }) => {
    const { signal, abort } = abortable()
    return (await errorOf(readUntil(client.stream('acme/stalls', { input, signal }), abort)))?.name
  },
  'abandoned, half read': async ({ client }) => {
    const items = await dropHalfRead(client.stream('acme/stalls', { input }))
    return items.map(({ value }) => String(value))
  },
  'what the server was asked': () => server.takeRequests(),
}
