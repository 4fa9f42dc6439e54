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
  WEATHER,
  WEATHER_QUESTION,
} from '../harness/kit.mjs'
import { standIn } from '../harness/stand-in.mjs'

const require = createRequire(import.meta.url)
export const load = { import: (name) => import(name), require }

const { NoAuthAuthenticator } = createRequire(require.resolve('watsonx-1.7'))('ibm-cloud-sdk-core')

const usage = { prompt_tokens: 12, completion_tokens: 8, total_tokens: 20 }
const calls = ['Paris', 'Rome'].map((city, index) => {
  return {
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name: 'weather', arguments: `{"city":"${city}"}` },
  }
})
const WORDS = ['A span', ' is one unit', ' of work.']

const finishOf = (model, tools) => (model === 'truncated' ? 'length' : tools ? 'tool_calls' : 'stop')

function chatted({ model_id, tools }) {
  const message = tools ? { role: 'assistant', tool_calls: calls } : { role: 'assistant', content: WORDS.join('') }
  const choices = [{ index: 0, message, finish_reason: finishOf(model_id, tools) }]
  return { id: 'chat-1', model_id, model: model_id, choices, usage }
}

function chattedInPieces({ model_id, tools }) {
  const head = { id: 'chat-1', model_id, model: model_id }
  const deltas = tools ? calls.map((call) => ({ tool_calls: [call] })) : WORDS.map((content) => ({ content }))
  const end = { ...head, choices: [{ index: 0, delta: {}, finish_reason: finishOf(model_id, tools) }] }
  const pieces = deltas.map((delta) => ({ ...head, choices: [{ index: 0, delta, finish_reason: null }] }))
  return [...pieces, end, { ...head, choices: [], usage }]
}

const texts = (model_id) =>
  WORDS.map((generated_text, at) => {
    const counts = { input_token_count: at === 0 ? 12 : 0, generated_token_count: 3 * at + 2 }
    return { model_id, results: [{ generated_text, ...counts, stop_reason: at < 2 ? 'not_finished' : 'eos_token' }] }
  })

const inEvents = (pieces) => pieces.map((data, id) => `id: ${id}\nevent: message\ndata: ${JSON.stringify(data)}`)

const server = await standIn(({ path, body }) => {
  const { model_id: model = 'deployed', inputs } = body
  if (model === 'hangs') return undefined
  if (model === 'error-429') {
    const errors = [{ code: 'rate_limit', message: 'Too many requests' }]
    return { status: 429, body: { errors, trace: 't', status_code: 429 } }
  }
  if (path.endsWith('chat_stream')) {
    const events = inEvents(chattedInPieces(body))
    const isWhole = !/^(stalls|breaks)$/.test(model)
    return isWhole ? { events } : { events: events.slice(0, 2), [model]: true }
  }
  if (path.endsWith('chat')) return { body: chatted({ model_id: model, ...body }) }
  if (path.endsWith('generation_stream')) return { events: inEvents(texts(model)) }
  if (path.endsWith('embeddings')) {
    return { body: { model_id: model, results: inputs.map(() => ({ embedding: [0.1, 0.2] })), input_token_count: 4 } }
  }
  const whole = {
    generated_text: WORDS.join(''),
    input_token_count: 12,
    generated_token_count: 8,
    stop_reason: 'eos_token',
  }
  return { body: { model_id: model, results: [whole] } }
})

export function connect({ exports }) {
  const WatsonXAI = exports.WatsonXAI ?? exports.default.WatsonXAI
  const authenticator = new NoAuthAuthenticator()
  return WatsonXAI.newInstance({ version: '2024-05-31', serviceUrl: server.url, authenticator })
}

const ask = (content, more = {}) => ({
  modelId: 'granite-test',
  projectId: 'project',
  messages: [{ role: 'user', content }],
  ...more,
})
const tools = [{ type: 'function', function: WEATHER }]
const text = { modelId: 'granite-test', projectId: 'project', input: QUESTION }

/** What an application can tell of an error of a service. */
const failureOf = async (promise) => {
  const { class: name, message, status } = await errorOf(promise)
  return [name, message, status]
}

export const cases = {
  plain: async ({ client }) => (await client.textChat(ask(QUESTION, { temperature: 0.5, maxTokens: 100 }))).result,
  streamed: async ({ client }) => collect(await client.textChatStream(ask(QUESTION, { returnObject: true }))),
  'streamed, in lines': async ({ client }) => collect(await client.textChatStream(ask(QUESTION))),
  tools: async ({ client }) => (await client.textChat(ask(WEATHER_QUESTION, { tools }))).result,
  'streamed tools': async ({ client }) =>
    collect(await client.textChatStream(ask(WEATHER_QUESTION, { tools, returnObject: true }))),
  text: async ({ client }) => {
    const parameters = { max_new_tokens: 100, temperature: 0.5, stop_sequences: ['END'] }
    return (await client.generateText({ ...text, parameters })).result
  },
  'streamed text': async ({ client }) => collect(await client.generateTextStream({ ...text, returnObject: true })),
  'a deployment': async ({ client }) =>
    (await client.deploymentGenerateText({ idOrName: 'my-model', parameters: { prompt_variables: {} } })).result,
  embeddings: async ({ client }) => {
    const { result } = await client.embedText({ modelId: 'embed-test', projectId: 'project', inputs: ['a', 'b'] })
    return result.results.length
  },
  'error 429': ({ client }) => failureOf(client.textChat(ask(QUESTION, { modelId: 'error-429' }))),
  'error on a stream': ({ client }) => failureOf(client.textChatStream(ask(QUESTION, { modelId: 'error-429' }))),
  'an argument that is refused': ({ client }) => failureOf(client.textChat({ modelId: 'granite-test' })),
  // Older versions take no signal.
  'aborted before the answer': {
    since: 1.7,
    does: ({ client }) => {
      const controller = new AbortController()
      const answer = client.textChat(ask(QUESTION, { modelId: 'hangs', signal: controller.signal }))
      setTimeout(() => controller.abort(), 20)
      return failureOf(answer)
    },
  },
  'an answer that is too long': async ({ client }) => {
    const cut = ask(QUESTION, { modelId: 'truncated' })
    const { result } = await client.textChat(cut)
    return [result, await collect(await client.textChatStream({ ...cut, returnObject: true }))]
  },
  'left early': async ({ client }) =>
    readUntil(await client.textChatStream(ask(QUESTION, { returnObject: true })), (_, { length }) => length === 2),
  'the reader throws': async ({ client }) =>
    failReading(await client.textChatStream(ask(QUESTION, { returnObject: true }))),
  'a stream that breaks': async ({ client }) =>
    breakOf(await client.textChatStream(ask(QUESTION, { modelId: 'breaks', returnObject: true }))),
  'aborted during the answer': {
    since: 1.7,
    does: async ({ client }) => {
      const { signal, abort } = abortable()
      const question = ask(QUESTION, { modelId: 'stalls', returnObject: true, signal })
      return (await failureOf(readUntil(await client.textChatStream(question), abort)))[0]
    },
  },
  'abandoned, half read': async ({ client }) =>
    dropHalfRead(await client.textChatStream(ask(QUESTION, { modelId: 'stalls', returnObject: true }))),
  'what the server was asked': () =>
    server.takeRequests().map(({ headers: { 'user-agent': _, ...headers }, ...rest }) => ({ ...rest, headers })),
}
