import { createRequire } from 'node:module'
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
import { connect, connectAborting, connectPatient } from './client.mjs'
import { invokeCases } from './invoke-cases.mjs'

export { connect }

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

const user = (text) => ({ role: 'user', content: [{ text }] })
const ask = (text, more = {}) => ({ modelId: 'claude-test', messages: [user(text)], ...more })
const { parameters, ...described } = WEATHER
const toolConfig = { tools: [{ toolSpec: { ...described, inputSchema: { json: parameters } } }] }
const schema = { jsonSchema: { name: 'place', schema: JSON.stringify(SCHEMA) } }

const converse = ({ client, exports: { ConverseCommand } }, input, options) =>
  client.send(new ConverseCommand(input), options)
const stream = async ({ client, exports: { ConverseStreamCommand } }, input, options) =>
  (await client.send(new ConverseStreamCommand(input), options)).stream
const wordOf = ({ contentBlockDelta }) => contentBlockDelta?.delta.text

/** What an application can tell of an error of a service. */
const failureOf = async (promise) => {
  const { class: name, message } = await errorOf(promise)
  return [name, message]
}

const both = (modelId) => async (kit) => {
  const { output, stopReason } = await converse(kit, ask(QUESTION, { modelId }))
  return [output, stopReason, await collect(await stream(kit, ask(QUESTION, { modelId })))]
}

export const cases = {
  plain: (kit) =>
    converse(
      kit,
      ask(QUESTION, {
        system: [{ text: 'Be brief.' }],
        inferenceConfig: { maxTokens: 100, temperature: 0.5, topP: 0.9, stopSequences: ['END'] },
      }),
    ).then(({ output, usage }) => [output, usage]),
  'a stored prompt': (kit) =>
    converse(kit, ask(QUESTION, { promptVariables: { city: { text: 'Rome' } } })).then(({ output }) => output),
  streamed: async (kit) => collect(await stream(kit, ask(QUESTION))),
  tools: async (kit) => {
    const { output } = await converse(kit, ask(WEATHER_QUESTION, { toolConfig }))
    const content = output.message.content.map(({ toolUse: { toolUseId } }) => {
      return { toolResult: { toolUseId, content: [{ text: 'sunny' }] } }
    })
    const messages = [user(WEATHER_QUESTION), output.message, { role: 'user', content }]
    return (await converse(kit, ask('', { messages, toolConfig }))).output
  },
  'streamed tools': async (kit) => collect(await stream(kit, ask(WEATHER_QUESTION, { toolConfig }))),
  'structured output by a tool': async (kit) => {
    const forced = { ...toolConfig, toolChoice: { tool: { name: WEATHER.name } } }
    return (await converse(kit, ask(WEATHER_QUESTION, { toolConfig: forced }))).output
  },
  'structured output': {
    since: 1000,
    does: async (kit) => {
      const outputConfig = { textFormat: { type: 'json_schema', structure: schema } }
      return (await converse(kit, ask(QUESTION, { outputConfig }))).output
    },
  },
  reasoning: {
    since: 840,
    does: async (kit) => {
      const thinking = ask(QUESTION, { additionalModelRequestFields: { thinking: { type: 'enabled' } } })
      return [(await converse(kit, thinking)).output, await collect(await stream(kit, thinking))]
    },
  },
  'a picture': async (kit) => {
    const image = { format: 'png', source: { bytes: new Uint8Array([1, 2, 3]) } }
    return (await converse(kit, ask('', { messages: [{ role: 'user', content: [{ image }, { text: QUESTION }] }] })))
      .output
  },
  'error 429': (kit) => failureOf(converse(kit, ask(QUESTION, { modelId: 'error-429' }))),
  'error on a stream': (kit) => failureOf(stream(kit, ask(QUESTION, { modelId: 'error-400' }))),
  'error within a stream': async (kit) =>
    failureOf(collect(await stream(kit, ask(QUESTION, { modelId: 'claude-overload' })))),
  'error nobody handles': async (kit) => {
    converse(kit, ask(QUESTION, { modelId: 'error-401' }))
    await new Promise((resolve) => process.once('unhandledRejection', resolve))
  },
  'two retries': async (kit) => {
    const client = connect(kit, { maxAttempts: 3 })
    const { output, $metadata } = await converse({ ...kit, client }, ask(QUESTION, { modelId: 'flaky' }))
    return [output, $metadata.attempts]
  },
  timeout: async (kit) => {
    const client = connectPatient(kit, 50)
    return (await errorOf(converse({ ...kit, client }, ask(QUESTION, { modelId: 'hang' })))).name
  },
  'aborted before the answer': async (kit) => {
    const { client, abortSignal } = connectAborting(kit)
    return (await errorOf(converse({ ...kit, client }, ask(QUESTION, { modelId: 'hang' }), { abortSignal }))).name
  },
  'aborted during the answer': async (kit) => {
    const controller = new AbortController()
    const events = await stream(kit, ask(QUESTION, { modelId: 'stall' }), { abortSignal: controller.signal })
    const received = []
    const failed = await errorOf(
      readUntil(events, (event) => {
        received.push(event)
        if (wordOf(event) === ' word') controller.abort()
      }),
    )
    return [received, failed?.name]
  },
  'left early': async (kit) => {
    const events = await stream(kit, ask(QUESTION, { modelId: 'stall' }))
    return readUntil(events, (event) => wordOf(event) === ' word')
  },
  'the reader throws': async (kit) => failReading(await stream(kit, ask(QUESTION))),
  'a stream that breaks': async (kit) => breakOf(await stream(kit, ask(QUESTION, { modelId: 'cut' }))),
  'abandoned, unread': async (kit) => shapeOf(await stream(kit, ask(QUESTION))),
  'abandoned, half read': async (kit) => dropHalfRead(await stream(kit, ask(QUESTION))),
  'with a callback': ({ client, exports: { ConverseCommand } }) =>
    new Promise((resolve, reject) => {
      const returned = client.send(new ConverseCommand(ask(QUESTION)), (error, answer) =>
        error ? reject(error) : resolve([answer.output, returned]),
      )
    }),
  'a callback that gets an error': ({ client, exports: { ConverseCommand } }) =>
    new Promise((resolve) => {
      client.send(new ConverseCommand(ask(QUESTION, { modelId: 'error-400' })), {}, ({ message }) => resolve(message))
    }),
  'the aggregated client': async ({ exports, url }) => {
    const client = connect({ exports, url }, { Client: exports.BedrockRuntime })
    const { output } = await client.converse(ask(QUESTION))
    const { stream: events } = await client.converseStream(ask(QUESTION))
    const called = await new Promise((resolve) => client.converse(ask(QUESTION), (_, answer) => resolve(answer.output)))
    return [output, await collect(events), called]
  },
  'the shapes of a command, a promise and an answer': async ({ client, exports: { ConverseCommand } }) => {
    const command = new ConverseCommand(ask(QUESTION))
    const promise = client.send(command)
    const answer = await promise
    // Sent a second time, and by a client that keeps what sends it.
    const again = await client.send(command)
    return [shapeOf(promise), shapeOf(command), Object.keys(command), Object.keys(answer), again.output]
  },
  'a client that keeps its handlers': async (kit) => {
    const client = connect(kit, { cacheMiddleware: true })
    const first = await converse({ ...kit, client }, ask(QUESTION))
    const second = await converse({ ...kit, client }, ask('And what is a trace?'))
    return [first.output, second.output]
  },
  'an answer that is too long': both('truncated'),
  'a guardrail': both('filtered'),
  'a filtered answer': both('refused'),
  ...invokeCases,
  '50 at once': (kit) =>
    fiftyAtOnce(async (number) => {
      if (Number(number) % 2) return (await converse(kit, ask(`Question ${number}?`))).output.message.content[0].text
      return (await collect(await stream(kit, ask(`Question ${number}?`)))).length
    }),
}
