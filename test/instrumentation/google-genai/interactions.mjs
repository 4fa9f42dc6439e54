// The Interactions API: `client.interactions`.
import {
  breakOf,
  collect,
  dropHalfRead,
  errorOf,
  failReading,
  QUESTION,
  readUntil,
  SCHEMA,
  WEATHER,
  WEATHER_QUESTION,
} from '../harness/kit.mjs'

const ask = (input, more = {}) => ({ model: 'gemini-test', input, ...more })
const tools = [{ type: 'function', ...WEATHER }]
const noRetry = { maxRetries: 0 }

const cases = {
  plain: (create) =>
    create({
      ...ask([{ type: 'user_input', content: [{ type: 'text', text: QUESTION }] }]),
      system_instruction: 'Be brief.',
      generation_config: { temperature: 0.5, top_p: 0.9, max_output_tokens: 100, seed: 7, stop_sequences: ['END'] },
    }),
  streamed: async (create) => collect(await create(ask(QUESTION, { stream: true }))),
  thinking: (create) => create(ask(QUESTION, { model: 'o4-mini' })),
  'streamed thinking': async (create) => collect(await create(ask(QUESTION, { model: 'o4-mini', stream: true }))),
  picture: (create) =>
    create(
      ask([
        { type: 'image', uri: 'https://example.com/cat.png', mime_type: 'image/png' },
        { type: 'text', text: QUESTION },
      ]),
    ),
  tools: async (create) => {
    const { id, steps } = await create(ask(WEATHER_QUESTION, { tools }))
    const results = steps.map((call) => ({
      type: 'function_result',
      call_id: call.id,
      name: call.name,
      result: 'sunny',
    }))
    return create(ask(results, { tools, previous_interaction_id: id }))
  },
  'streamed tools': async (create) => collect(await create(ask(WEATHER_QUESTION, { tools, stream: true }))),
  'structured output': (create) => {
    const format = { type: 'text', mime_type: 'application/json', schema: SCHEMA }
    return create(ask(QUESTION, { response_format: format }))
  },
  'error 429': (create) => errorOf(create(ask(QUESTION, { model: 'error-429' }), noRetry)),
  'error on a stream': (create) => errorOf(create(ask(QUESTION, { model: 'error-400', stream: true }), noRetry)),
  timeout: (create) => errorOf(create(ask(QUESTION, { model: 'hang' }), { ...noRetry, timeout: 50 })),
  'aborted before the answer': (create) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 50)
    return errorOf(
      create(ask(QUESTION, { model: 'hang' }), { ...noRetry, fetchOptions: { signal: controller.signal } }),
    )
  },
  'aborted during the answer': async (create) => {
    const controller = new AbortController()
    const options = { ...noRetry, fetchOptions: { signal: controller.signal } }
    const stream = await create(ask(QUESTION, { model: 'stall', stream: true }), options)
    return errorOf(
      readUntil(stream, ({ delta }) => {
        if (delta?.text === ' word') controller.abort()
      }),
    )
  },
  'left early': async (create) =>
    readUntil(await create(ask(QUESTION, { stream: true })), ({ delta }) => delta?.text === ' asked'),
  'the reader throws': async (create) => failReading(await create(ask(QUESTION, { stream: true }))),
  'a stream that breaks': async (create) => breakOf(await create(ask(QUESTION, { model: 'cut', stream: true }))),
  'abandoned, half read': async (create) => dropHalfRead(await create(ask(QUESTION, { stream: true }))),
}

export const interactionCases = Object.fromEntries(
  Object.entries(cases).map(([title, does]) => [
    `interactions, ${title}`,
    { since: 2, does: ({ client }) => does((...args) => client.interactions.create(...args)) },
  ]),
)
