import { createRequire } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import {
  abortingFetch,
  collect,
  dropHalfRead,
  errorOf,
  fiftyAtOnce,
  QUESTION,
  readUntil,
  SCHEMA,
  WEATHER,
} from '../harness/kit.mjs'

// One tool at a time, and it takes a while: what begins in the same millisecond has no order.
const ABOUT_PARIS = 'How is the weather in Paris?'

const require = createRequire(import.meta.url)
export const load = {
  import: async (name) => ({ ...(await import(name)), ...(await import('@ai-sdk/openai')) }),
  require: (name) => ({ ...require(name), ...require('@ai-sdk/openai') }),
}

export function connect({ exports: { createOpenAI }, url }, options = {}) {
  return createOpenAI({ baseURL: `${url}/v1`, apiKey: 'sk-not-to-be-seen', ...options })
}

const ask = ({ client }, prompt = QUESTION, more = {}) => ({ model: client('gpt-4o-mini'), prompt, ...more })
const told = ({ text, usage, finishReason, steps }) => ({ text, usage, finishReason, steps: steps.length })

/** What a call says of telemetry has another name from version 7 on. */
const saying = (telemetry) => ({ experimental_telemetry: telemetry, telemetry })

function weather({ tool, jsonSchema }, answer = ({ city }) => `sunny in ${city}`) {
  const execute = async (input) => {
    await wait(5)
    return answer(input)
  }
  const schema = jsonSchema(WEATHER.parameters)
  return { weather: tool({ description: WEATHER.description, inputSchema: schema, parameters: schema, execute }) }
}

const steps = ({ stepCountIs, isStepCount }, count) => ({ stopWhen: (stepCountIs ?? isStepCount)(count) })

export const cases = {
  plain: async (kit) =>
    told(
      await kit.exports.generateText(
        ask(kit, QUESTION, { system: 'Be brief.', temperature: 0.5, maxOutputTokens: 100, topP: 0.9 }),
      ),
    ),
  streamed: async (kit) => {
    const result = kit.exports.streamText(ask(kit))
    return [await collect(result.textStream), await result.usage, await result.finishReason]
  },
  tools: async (kit) =>
    told(
      await kit.exports.generateText(ask(kit, ABOUT_PARIS, { tools: weather(kit.exports), ...steps(kit.exports, 3) })),
    ),
  'streamed tools': async (kit) => {
    const result = kit.exports.streamText(
      ask(kit, ABOUT_PARIS, { tools: weather(kit.exports), ...steps(kit.exports, 3) }),
    )
    return [await collect(result.textStream), (await result.steps).length]
  },
  'a tool that fails': async (kit) => {
    const fail = () => Promise.reject(new Error('no such city'))
    return told(
      await kit.exports.generateText(
        ask(kit, ABOUT_PARIS, { tools: weather(kit.exports, fail), ...steps(kit.exports, 2) }),
      ),
    )
  },
  'structured output': async (kit) => {
    const schema = kit.exports.jsonSchema(SCHEMA)
    return (await kit.exports.generateObject(ask(kit, QUESTION, { schema }))).object
  },
  'error 429': async (kit) => {
    const asked = ask(kit, QUESTION, { model: kit.client('error-429'), maxRetries: 0 })
    const { class: name, message } = await errorOf(kit.exports.generateText(asked))
    return [name, message]
  },
  'aborted before the answer': async (kit) => {
    const { signal, fetch } = abortingFetch()
    const model = connect(kit, { fetch })('hang')
    const asked = ask(kit, QUESTION, { model, abortSignal: signal, maxRetries: 0 })
    return (await errorOf(kit.exports.generateText(asked))).name
  },
  'left early': async (kit) => {
    const { textStream } = kit.exports.streamText(ask(kit))
    return readUntil(textStream, (_, { length }) => length === 3)
  },
  'abandoned, unread': async (kit) => typeof kit.exports.streamText(ask(kit)),
  'abandoned, half read': async (kit) => dropHalfRead(kit.exports.streamText(ask(kit)).textStream),
  // What is still read is not taken for abandoned.
  'collected in between': async (kit) => {
    const asked = ask(kit, ABOUT_PARIS, { tools: weather(kit.exports), ...steps(kit.exports, 3) })
    const text = []
    for await (const piece of kit.exports.streamText(asked).textStream) {
      text.push(piece)
      globalThis.gc()
      await wait(1)
    }
    return text
  },
  'aborted while it streams': async (kit) => {
    const controller = new AbortController()
    const { fullStream, stream } = kit.exports.streamText(ask(kit, QUESTION, { abortSignal: controller.signal }))
    const types = []
    for await (const { type } of fullStream ?? stream) {
      types.push(type)
      if (type === 'text-delta') controller.abort()
    }
    return types
  },
  'switched off': async (kit) => told(await kit.exports.generateText(ask(kit, QUESTION, saying({ isEnabled: false })))),
  'switched on': async (kit) =>
    told(
      await kit.exports.generateText(
        ask(kit, QUESTION, saying({ isEnabled: true, functionId: 'answer', metadata: { tenant: 'acme' } })),
      ),
    ),
  'without inputs': async (kit) =>
    told(await kit.exports.generateText(ask(kit, QUESTION, saying({ recordInputs: false })))),
  'a tracer of its own': async (kit) => {
    const names = []
    const span = { setAttribute: () => span, setAttributes: () => span, addEvent: () => span, end() {} }
    const startActiveSpan = (name, ...rest) => {
      names.push(name)
      return rest.at(-1)(span)
    }
    const tracer = { startActiveSpan, startSpan: () => span }
    const { text } = await kit.exports.generateText(ask(kit, QUESTION, saying({ isEnabled: true, tracer })))
    return [names, text]
  },
  embeddings: async ({ exports: { embedMany }, client }) => {
    const model = (client.textEmbeddingModel ?? client.embeddingModel)('text-embedding-3-small')
    const { embeddings, usage } = await embedMany({ model, values: ['a', 'b'] })
    return [embeddings.length, usage]
  },
  '50 at once': (kit) =>
    fiftyAtOnce(async (number) => (await kit.exports.generateText(ask(kit, `Question ${number}?`))).text),
}
