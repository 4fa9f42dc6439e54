import { createRequire } from 'node:module'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { collect, errorOf, fiftyAtOnce, QUESTION, readUntil, WEATHER, WEATHER_QUESTION } from '../harness/kit.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

/** With a token nothing is signed, and requests can be compared. */
export function connect({ exports: { BedrockRuntimeClient }, url }, options = {}) {
  return new BedrockRuntimeClient({
    endpoint: url,
    region: 'us-east-1',
    token: { token: 'not-to-be-seen' },
    authSchemePreference: ['httpBearerAuth'],
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler(),
    ...options,
  })
}

const user = (text) => ({ role: 'user', content: [{ text }] })
const ask = (text, more = {}) => ({ modelId: 'claude-test', messages: [user(text)], ...more })
const { parameters, ...described } = WEATHER
const toolConfig = { tools: [{ toolSpec: { ...described, inputSchema: { json: parameters } } }] }

const converse = ({ client, exports: { ConverseCommand } }, input, options) =>
  client.send(new ConverseCommand(input), options)
const stream = async ({ client, exports: { ConverseStreamCommand } }, input, options) =>
  (await client.send(new ConverseStreamCommand(input), options)).stream

export const cases = {
  plain: (kit) =>
    converse(
      kit,
      ask(QUESTION, {
        system: [{ text: 'Be brief.' }],
        inferenceConfig: { maxTokens: 100, temperature: 0.5, topP: 0.9, stopSequences: ['END'] },
      }),
    ).then(({ output, usage }) => [output, usage]),
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
  'a picture': async (kit) => {
    const image = { format: 'png', source: { bytes: new Uint8Array([1, 2, 3]) } }
    return (await converse(kit, ask('', { messages: [{ role: 'user', content: [{ image }, { text: QUESTION }] }] })))
      .output
  },
  'error 429': async (kit) => {
    const { class: name, message } = await errorOf(converse(kit, ask(QUESTION, { modelId: 'error-429' })))
    return [name, message]
  },
  'aborted before the answer': async (kit) => {
    const controller = new AbortController()
    const requestHandler = new NodeHttpHandler()
    const own = requestHandler.handle.bind(requestHandler)
    requestHandler.handle = (...args) => {
      setImmediate(() => controller.abort())
      return own(...args)
    }
    const client = connect(kit, { requestHandler })
    const abortSignal = controller.signal
    return (await errorOf(converse({ ...kit, client }, ask(QUESTION, { modelId: 'hang' }), { abortSignal }))).name
  },
  'left early': async (kit) => {
    const events = await stream(kit, ask(QUESTION, { modelId: 'stall' }))
    return readUntil(events, ({ contentBlockDelta }) => contentBlockDelta?.delta.text === ' word')
  },
  'with a callback': ({ client, exports: { ConverseCommand } }) =>
    new Promise((resolve, reject) => {
      client.send(new ConverseCommand(ask(QUESTION)), (error, answer) =>
        error ? reject(error) : resolve(answer.output),
      )
    }),
  '50 at once': (kit) =>
    fiftyAtOnce(async (number) => (await converse(kit, ask(`Question ${number}?`))).output.message.content[0].text),
}
