import { createRequire } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { collect, fiftyAtOnce, QUESTION, WEATHER } from '../harness/kit.mjs'
import { aborting, failing, leaving, objects, ownTimeouts, unwanted } from './endings.mjs'
import { modelThat } from './model.mjs'

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

const THOUGHTFUL = ['<think>It is', ' summer.</think>', 'Sunny.']

const ask = ({ client }, prompt = QUESTION, more = {}) => ({ model: client('gpt-4o-mini'), prompt, ...more })
const summary = ({ text, usage, finishReason, steps }) => ({ text, usage, finishReason, steps: steps.length })

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

const embedder = (client) => (client.textEmbeddingModel ?? client.embeddingModel)('text-embedding-3-small')

/** What has come with version 6. */
export const sinceSix = {
  ...ownTimeouts,
  'a tool that waits for approval': async (kit) => {
    const { weather: definition } = weather(kit.exports)
    const tools = { weather: { ...definition, needsApproval: true } }
    const { content, text } = await kit.exports.generateText(ask(kit, ABOUT_PARIS, { tools }))
    return [content.map(({ type }) => type), text]
  },
  'a streamed tool that waits for approval': async (kit) => {
    const { weather: definition } = weather(kit.exports)
    const tools = { weather: { ...definition, needsApproval: true } }
    const { content } = kit.exports.streamText(ask(kit, ABOUT_PARIS, { tools }))
    return (await content).map(({ type }) => type)
  },
}

export const cases = {
  plain: async (kit) =>
    summary(
      await kit.exports.generateText(
        ask(kit, QUESTION, { system: 'Be brief.', temperature: 0.5, maxOutputTokens: 100, topP: 0.9 }),
      ),
    ),
  streamed: async (kit) => {
    const result = kit.exports.streamText(ask(kit))
    return [await collect(result.textStream), await result.usage, await result.finishReason]
  },
  tools: async (kit) =>
    summary(
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
    return summary(
      await kit.exports.generateText(
        ask(kit, ABOUT_PARIS, { tools: weather(kit.exports, fail), ...steps(kit.exports, 2) }),
      ),
    )
  },
  ...objects,
  ...failing,
  ...unwanted,
  ...leaving,
  ...aborting(connect),
  // What is still read is not taken for abandoned.
  'collected in between': async (kit) => {
    const request = ask(kit, ABOUT_PARIS, { tools: weather(kit.exports), ...steps(kit.exports, 3) })
    const text = []
    for await (const piece of kit.exports.streamText(request).textStream) {
      text.push(piece)
      globalThis.gc()
      await wait(1)
    }
    return text
  },
  reasoning: async (kit) => {
    const { text, reasoningText } = await kit.exports.generateText(ask(kit, QUESTION, { model: kit.client('gpt-5') }))
    return [text, reasoningText]
  },
  'streamed reasoning': async (kit) =>
    collect(kit.exports.streamText(ask(kit, QUESTION, { model: kit.client('gpt-5') })).textStream),
  'thoughts in the text, and a source': async (kit) => {
    const model = modelThat('cites', kit, THOUGHTFUL)
    const { text, sources } = await kit.exports.generateText({ ...ask(kit), model })
    return [text, sources]
  },
  'streamed thoughts in the text, and a source': async (kit) => {
    const { textStream, sources } = kit.exports.streamText({ ...ask(kit), model: modelThat('cites', kit, THOUGHTFUL) })
    return [await collect(textStream), await sources]
  },
  'switched off': async (kit) =>
    summary(await kit.exports.generateText(ask(kit, QUESTION, saying({ isEnabled: false })))),
  'switched on': async (kit) =>
    summary(
      await kit.exports.generateText(
        ask(kit, QUESTION, saying({ isEnabled: true, functionId: 'answer', metadata: { tenant: 'acme' } })),
      ),
    ),
  'without inputs': async (kit) =>
    summary(await kit.exports.generateText(ask(kit, QUESTION, saying({ recordInputs: false })))),
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
  embedding: async ({ exports: { embed }, client }) => {
    const { embedding, usage } = await embed({ model: embedder(client), value: 'a' })
    return [embedding.length, usage]
  },
  embeddings: async ({ exports: { embedMany }, client }) => {
    const { embeddings, usage } = await embedMany({ model: embedder(client), values: ['a', 'b'] })
    return [embeddings.length, usage]
  },
  '50 at once': (kit) =>
    fiftyAtOnce(async (number) => (await kit.exports.generateText(ask(kit, `Question ${number}?`))).text),
}
