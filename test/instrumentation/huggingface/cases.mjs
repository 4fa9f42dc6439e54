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
  WEATHER,
  WEATHER_QUESTION,
} from '../harness/kit.mjs'
import { standIn } from '../harness/stand-in.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

const WORDS = ['A span', ' is one unit', ' of work.']
const generated_text = WORDS.join('')
const details = { finish_reason: 'eos_token', generated_tokens: 8, prefill: [], seed: 1, tokens: [] }
const tokens = WORDS.map((text, index) => ({
  index,
  token: { id: index, text, logprob: 0, special: false },
  generated_text: null,
  details: null,
}))
const end = { index: 3, token: { id: 3, text: '</s>', logprob: 0, special: true }, generated_text, details }

/** Newer versions ask for text as OpenAI does. */
function completed({ stream }) {
  if (!stream) return { body: { choices: [{ text: generated_text, finish_reason: 'stop' }] } }
  const usage = { prompt_tokens: 12, completion_tokens: 8 }
  const pieces = WORDS.map((text) => ({ model: 'gpt2-test', choices: [{ index: 0, text }] }))
  return { events: [...pieces, { choices: [{ index: 0, text: '', finish_reason: 'stop' }], usage }] }
}

const server = await standIn(({ path, body }) => {
  if (body.prompt) return completed(body)
  if (path.includes('features')) return { body: [[0.1, 0.2]] }
  return body.stream ? { events: [...tokens, end] } : { body: [{ generated_text, details }] }
})

export function connect({ exports: { HfInference }, url }) {
  const endpoint = (address, options) => {
    // Older versions take the address as it is.
    const fetched = async (input, init) => {
      const wanted = String(input)
      const isChat = wanted.startsWith(url) && !wanted.endsWith('/chat/completions')
      const answer = await fetch(isChat ? `${url}/v1/chat/completions` : wanted, init)
      if (!wanted.startsWith(url) || !answer.ok || !/json/.test(answer.headers.get('content-type'))) return answer
      // They want to see a field that the model server does not have.
      return Response.json({ ...(await answer.json()), system_fingerprint: 'fp' })
    }
    return new HfInference('hf_not-to-be-seen', { fetch: fetched, retry_on_error: false, ...options }).endpoint(address)
  }
  return { chat: endpoint(url), text: endpoint(`${server.url}/text`), features: endpoint(`${server.url}/features`) }
}

const ask = (content, more = {}) => ({ model: 'gpt-test', messages: [{ role: 'user', content }], ...more })
const tools = [{ type: 'function', function: WEATHER }]
const parameters = { max_new_tokens: 100, temperature: 0.5, details: true }

const streamedText = ({ text }) => text.textGenerationStream({ model: 'gpt2-test', inputs: QUESTION, parameters })

const refused = ({ client }) => client.chat.chatCompletion(ask(QUESTION, { model: 'error-429' }))

/** What an application can tell of an error. */
const failureOf = async (promise) => {
  const { class: name, message } = await errorOf(promise)
  return [name, message]
}

export const cases = {
  plain: ({ client }) => client.chat.chatCompletion(ask(QUESTION, { temperature: 0.5, max_tokens: 100 })),
  streamed: ({ client }) => collect(client.chat.chatCompletionStream(ask(QUESTION))),
  tools: ({ client }) => client.chat.chatCompletion(ask(WEATHER_QUESTION, { tools })),
  'streamed tools': ({ client }) => collect(client.chat.chatCompletionStream(ask(WEATHER_QUESTION, { tools }))),
  'without a client': {
    since: 3,
    does: async ({ exports, client, url }) => {
      const { chatCompletion } = exports
      const answer = await chatCompletion(
        { ...ask(QUESTION), endpointUrl: `${url}/v1/chat/completions` },
        {
          fetch: (_, init) => fetch(`${url}/v1/chat/completions`, init),
        },
      )
      return [answer, client.chat.chatCompletion.name]
    },
  },
  'an answer that is too long': async ({ client }) => {
    const cut = ask(QUESTION, { model: 'truncated', stream_options: { include_usage: true } })
    return [await client.chat.chatCompletion(cut), await collect(client.chat.chatCompletionStream(cut))]
  },
  text: {
    before: 4,
    does: ({ client }) => client.text.textGeneration({ model: 'gpt2-test', inputs: QUESTION, parameters }),
  },
  'text of newer versions': {
    since: 4,
    does: ({ client }) => client.text.textGeneration({ model: 'gpt2-test', inputs: QUESTION, parameters }),
  },
  'streamed text': { before: 4, does: ({ client }) => collect(streamedText(client)) },
  'streamed text of newer versions': { since: 4, does: ({ client }) => collect(streamedText(client)) },
  // Older versions ask somebody else first.
  features: { since: 3, does: ({ client }) => client.features.featureExtraction({ inputs: QUESTION }) },
  'error 429': { since: 4, does: (kit) => failureOf(refused(kit)) },
  'error 429 in older words': { named: 'huggingface-3', does: (kit) => failureOf(refused(kit)) },
  'error 429 in the oldest words': { named: 'huggingface-2', does: (kit) => failureOf(refused(kit)) },
  'error on a stream in the oldest words': {
    named: 'huggingface-2',
    does: ({ client }) => failureOf(collect(client.chat.chatCompletionStream(ask(QUESTION, { model: 'error-400' })))),
  },
  'error on a stream': {
    since: 4,
    does: ({ client }) => failureOf(collect(client.chat.chatCompletionStream(ask(QUESTION, { model: 'error-400' })))),
  },
  'aborted before the answer': ({ client }) => {
    const controller = new AbortController()
    const answer = client.chat.chatCompletion(ask(QUESTION, { model: 'hang' }), { signal: controller.signal })
    setTimeout(() => controller.abort(), 20)
    return failureOf(answer)
  },
  'aborted during the answer': async ({ client }) => {
    const { signal, abort } = abortable()
    const question = ask(QUESTION, { model: 'stall' })
    return failureOf(readUntil(client.chat.chatCompletionStream(question, { signal }), abort))
  },
  'timeout of a signal': ({ client }) =>
    failureOf(client.chat.chatCompletion(ask(QUESTION, { model: 'hang' }), { signal: AbortSignal.timeout(50) })),
  'left early': ({ client }) =>
    readUntil(client.chat.chatCompletionStream(ask(QUESTION)), (_, { length }) => length === 3),
  'the reader throws': ({ client }) => failReading(client.chat.chatCompletionStream(ask(QUESTION))),
  'a stream that breaks': ({ client }) => breakOf(client.chat.chatCompletionStream(ask(QUESTION, { model: 'cut' }))),
  'abandoned, half read': ({ client }) => dropHalfRead(client.chat.chatCompletionStream(ask(QUESTION))),
  '50 at once': ({ client }) =>
    fiftyAtOnce(async (number) => {
      const question = ask(`Question ${number}?`)
      if (Number(number) % 2) return (await client.chat.chatCompletion(question)).choices[0].message
      return (await collect(client.chat.chatCompletionStream(question))).length
    }),
  'what the server was asked': () => server.takeRequests(),
}
