// The first version of the API: the methods of `CohereClient` itself.
import {
  breakOf,
  collect,
  dropHalfRead,
  errorOf,
  failReading,
  QUESTION,
  readUntil,
  SCHEMA,
  shapeOf,
  WEATHER_QUESTION,
} from '../harness/kit.mjs'

const ask = (message, more = {}) => ({ model: 'command-test', message, ...more })
const parameterDefinitions = { city: { description: 'Which city', type: 'str', required: true } }
const tools = [{ name: 'weather', description: 'The weather of a city', parameterDefinitions }]
const noRetry = { maxRetries: 0 }

const cases = {
  plain: (client) =>
    client.chat({
      ...ask(QUESTION, { preamble: 'Be brief.', conversationId: 'conversation-1' }),
      chatHistory: [
        { role: 'USER', message: 'Who are you?' },
        { role: 'CHATBOT', message: 'A model.' },
      ],
      ...{ temperature: 0.5, p: 0.9, k: 40, maxTokens: 100, seed: 7, stopSequences: ['END'] },
    }),
  streamed: async (client) => collect(await client.chatStream(ask(QUESTION))),
  tools: async (client) => {
    const { toolCalls } = await client.chat(ask(WEATHER_QUESTION, { tools }))
    const toolResults = toolCalls.map((call) => ({ call, outputs: [{ weather: 'sunny' }] }))
    return client.chat(ask(WEATHER_QUESTION, { tools, toolResults }))
  },
  'streamed tools': async (client) => collect(await client.chatStream(ask(WEATHER_QUESTION, { tools }))),
  'structured output': (client) =>
    client.chat(ask(QUESTION, { responseFormat: { type: 'json_object', schema: SCHEMA } })),
  'error 429': (client) => errorOf(client.chat(ask(QUESTION, { model: 'error-429' }), noRetry)),
  timeout: (client) => errorOf(client.chat(ask(QUESTION, { model: 'hang' }), { ...noRetry, timeoutInSeconds: 0.05 })),
  'aborted before the answer': (client) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 50)
    return errorOf(client.chat(ask(QUESTION, { model: 'hang' }), { ...noRetry, abortSignal: controller.signal }))
  },
  'aborted during the answer': async (client) => {
    const controller = new AbortController()
    const stream = await client.chatStream(ask(QUESTION, { model: 'stall' }), { abortSignal: controller.signal })
    return errorOf(
      readUntil(stream, ({ text }) => {
        if (text === ' word') controller.abort()
      }),
    )
  },
  'left early': async (client) => readUntil(await client.chatStream(ask(QUESTION)), (_, { length }) => length === 4),
  'the reader throws': async (client) => failReading(await client.chatStream(ask(QUESTION))),
  'a stream that breaks': async (client) => breakOf(await client.chatStream(ask(QUESTION, { model: 'cut' }))),
  'abandoned, unread': async (client) => shapeOf(await client.chatStream(ask(QUESTION))),
  'abandoned, half read': async (client) => dropHalfRead(await client.chatStream(ask(QUESTION))),
  generate: (client) => client.generate({ model: 'command-test', prompt: QUESTION, maxTokens: 100 }),
  'streamed generate': async (client) =>
    collect(await client.generateStream({ model: 'command-test', prompt: QUESTION })),
  embeddings: (client) => client.embed({ model: 'embed-test', texts: ['a', 'b'], inputType: 'search_query' }),
}

export const v1Cases = Object.fromEntries(
  Object.entries(cases).map(([title, does]) => [
    `first version, ${title}`,
    ({ exports: { CohereClient }, url }) => does(new CohereClient({ token: 'sk-not-to-be-seen', environment: url })),
  ]),
)
