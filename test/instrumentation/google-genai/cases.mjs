import { once } from 'node:events'
import { createRequire } from 'node:module'
import { jobs } from '../harness/jobs.mjs'
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
import { interactionCases } from './interactions.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

export function connect({ exports: { GoogleGenAI }, url }, options = {}) {
  return new GoogleGenAI({ apiKey: 'sk-not-to-be-seen', httpOptions: { baseUrl: url, ...options } })
}

const ask = (contents, config = {}, more = {}) => ({ model: 'gemini-test', contents, config, ...more })
const functionDeclarations = [
  { name: WEATHER.name, description: WEATHER.description, parametersJsonSchema: WEATHER.parameters },
]
const weather = ask(WEATHER_QUESTION, { tools: [{ functionDeclarations }] })
const soon = () => {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 50)
  return controller.signal
}

const both =
  (model) =>
  async ({ client }) => {
    const asked = ask(QUESTION, {}, { model })
    return [await client.models.generateContent(asked), await collect(await client.models.generateContentStream(asked))]
  }

export const cases = {
  plain: ({ client }) =>
    client.models.generateContent(
      ask(QUESTION, {
        systemInstruction: 'Be brief.',
        temperature: 0.5,
        topP: 0.9,
        topK: 40,
        maxOutputTokens: 100,
        stopSequences: ['END'],
        seed: 7,
      }),
    ),
  streamed: async ({ client }) => collect(await client.models.generateContentStream(ask(QUESTION))),
  thinking: ({ client }) => client.models.generateContent(ask(QUESTION, { thinkingConfig: { includeThoughts: true } })),
  'streamed thinking': async ({ client }) =>
    collect(await client.models.generateContentStream(ask(QUESTION, { thinkingConfig: { includeThoughts: true } }))),
  picture: ({ client }) => {
    const image = { fileData: { fileUri: 'https://example.com/cat.png', mimeType: 'image/png' } }
    return client.models.generateContent(ask([{ role: 'user', parts: [image, { text: QUESTION }] }]))
  },
  tools: async ({ client }) => {
    const first = await client.models.generateContent(weather)
    const answers = first.functionCalls.map(({ name }) => ({
      functionResponse: { name, response: { output: 'sunny' } },
    }))
    const request = { role: 'user', parts: [{ text: WEATHER_QUESTION }] }
    const contents = [request, first.candidates[0].content, { role: 'user', parts: answers }]
    return client.models.generateContent({ ...weather, contents })
  },
  'streamed tools': async ({ client }) => collect(await client.models.generateContentStream(weather)),
  'functions called by the library': ({ client }) => {
    const tool = {
      tool: async () => ({ functionDeclarations }),
      callTool: async (calls) =>
        calls.map(({ name }) => ({ functionResponse: { name, response: { output: 'sunny' } } })),
    }
    return client.models.generateContent(ask(WEATHER_QUESTION, { tools: [tool] }))
  },
  chat: async ({ client }) => {
    const chat = client.chats.create({ model: 'gemini-test' })
    const first = await chat.sendMessage({ message: 'Who are you?' })
    return [first, await collect(await chat.sendMessageStream({ message: QUESTION })), chat.getHistory()]
  },
  'structured output': ({ client }) =>
    client.models.generateContent(ask(QUESTION, { responseMimeType: 'application/json', responseSchema: SCHEMA })),
  'structured output, by a JSON schema': {
    since: 1.1,
    does: ({ client }) =>
      client.models.generateContent(
        ask(QUESTION, { responseMimeType: 'application/json', responseJsonSchema: SCHEMA }),
      ),
  },
  'error 429': ({ client }) => errorOf(client.models.generateContent(ask(QUESTION, {}, { model: 'error-429' }))),
  'error on a stream': ({ client }) =>
    errorOf(client.models.generateContentStream(ask(QUESTION, {}, { model: 'error-400' }))),
  'error nobody handles': async ({ client }) => {
    client.models.generateContent(ask(QUESTION, {}, { model: 'error-401' }))
    await once(process, 'unhandledRejection')
  },
  'a retry': {
    since: 2,
    does: async ({ exports, url }) => {
      const connected = (attempts) =>
        connect({ exports, url }, { retryOptions: { attempts, initialDelay: 0.01, jitter: 0 } })
      const flaky = ask(QUESTION, {}, { model: 'flaky' })
      await errorOf(connected(1).models.generateContent(flaky))
      return connected(2).models.generateContent(flaky)
    },
  },
  timeout: ({ client }) =>
    errorOf(client.models.generateContent(ask(QUESTION, { httpOptions: { timeout: 50 } }, { model: 'hang' }))),
  'timeout of a signal': ({ client }) =>
    errorOf(client.models.generateContent(ask(QUESTION, { abortSignal: AbortSignal.timeout(50) }, { model: 'hang' }))),
  'aborted before the answer': ({ client }) =>
    errorOf(client.models.generateContent(ask(QUESTION, { abortSignal: soon() }, { model: 'hang' }))),
  'aborted during the answer': async ({ client }) => {
    const controller = new AbortController()
    const config = { abortSignal: controller.signal }
    const stream = await client.models.generateContentStream(ask(QUESTION, config, { model: 'stall' }))
    return errorOf(
      readUntil(stream, ({ text }) => {
        if (text === ' word') controller.abort()
      }),
    )
  },
  'left early': async ({ client }) =>
    readUntil(await client.models.generateContentStream(ask(QUESTION)), (_, { length }) => length === 2),
  'the reader throws': async ({ client }) => failReading(await client.models.generateContentStream(ask(QUESTION))),
  'a stream that breaks': async ({ client }) =>
    breakOf(await client.models.generateContentStream(ask(QUESTION, {}, { model: 'cut' }))),
  'abandoned, unread': async ({ client }) => shapeOf(await client.models.generateContentStream(ask(QUESTION))),
  'abandoned, half read': async ({ client }) => dropHalfRead(await client.models.generateContentStream(ask(QUESTION))),
  embeddings: ({ client }) => client.models.embedContent({ model: 'embedding-test', contents: ['a', 'b'] }),
  // Later only Vertex AI has it.
  images: {
    before: 2,
    does: ({ client }) =>
      client.models.generateImages({ model: 'imagen-test', prompt: 'A cat', config: { numberOfImages: 2 } }),
  },
  ...interactionCases,
  'a batch': {
    since: 2,
    does: async ({ exports }) => {
      const { batches } = connect({ exports, url: jobs.url })
      const { name } = await batches.create({ model: 'gemini-test', src: [{ contents: [QUESTION] }] })
      return [await batches.get({ name }), await batches.get({ name })]
    },
  },
  'an answer that is too long': both('truncated'),
  'a filtered answer': both('filtered'),
  'a question that is blocked': both('blocked'),
  'what is named instead of sent': ({ client }) => {
    const fileUri = 'https://generativelanguage.googleapis.com/v1beta/files/abc'
    const parts = [{ fileData: { fileUri, mimeType: 'application/pdf' } }, { text: QUESTION }]
    return client.models.generateContent(ask([{ role: 'user', parts }], { cachedContent: 'cachedContents/c1' }))
  },
  '50 at once': ({ client }) =>
    fiftyAtOnce(async (number) => {
      const question = ask(`Question ${number}?`)
      if (Number(number) % 2) return (await client.models.generateContent(question)).text
      return (await collect(await client.models.generateContentStream(question))).length
    }),
}
