// The clients for other platforms extend that of `@anthropic-ai/sdk`, of which each brings a copy.
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { collect, errorOf, QUESTION, readUntil, shapeOf, WEATHER, WEATHER_QUESTION } from '../harness/kit.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

/** Without the credentials of a cloud. */
const authClient = { getRequestHeaders: async () => new Headers({ authorization: 'Bearer not-to-be-seen' }) }
const platforms = {
  bedrock: ({ AnthropicBedrock }, baseURL) => new AnthropicBedrock({ baseURL, skipAuth: true, awsRegion: 'eu-west-1' }),
  'the Messages API of bedrock': ({ AnthropicBedrockMantle }, baseURL) =>
    new AnthropicBedrockMantle({ baseURL, skipAuth: true, awsRegion: 'eu-west-1' }),
  vertex: ({ AnthropicVertex }, url) =>
    new AnthropicVertex({ baseURL: `${url}/v1`, region: 'europe-west1', projectId: 'project', authClient }),
  foundry: ({ AnthropicFoundry }, baseURL) => new AnthropicFoundry({ baseURL, apiKey: 'sk-not-to-be-seen' }),
}

export function connect() {}

const ask = (content, model, more = {}) => {
  const named = `anthropic.claude-${model ?? 'test'}`
  return { model: named, max_tokens: 1_000, messages: [{ role: 'user', content }], ...more }
}
const about = ask(QUESTION)
const tools = [{ name: WEATHER.name, description: WEATHER.description, input_schema: WEATHER.parameters }]

const does = {
  plain: (client) => client.messages.create({ ...about, system: 'Be brief.', temperature: 0.5 }),
  streamed: async (client) => collect(await client.messages.create({ ...about, stream: true })),
  'streamed tools': async (client) =>
    collect(await client.messages.create({ ...ask(WEATHER_QUESTION, 'test', { tools }), stream: true })),
  'stream helper': (client) => client.messages.stream(about).finalMessage(),
  beta: (client) => client.beta.messages.create({ ...about, betas: ['context-1m-2025-08-07'] }),
  'error 429': (client) => errorOf(client.messages.create(ask(QUESTION, 'error-429'), { maxRetries: 0 })),
  'error nobody handles': async (client) => {
    client.messages.create(ask(QUESTION, 'error-401'))
    await once(process, 'unhandledRejection')
  },
  'two retries': (client) => client.messages.create(ask(QUESTION, 'flaky'), { maxRetries: 2 }),
  'left early': async (client) =>
    readUntil(await client.messages.create({ ...about, stream: true }), ({ delta }) => delta?.text === ' asked'),
  'abandoned, unread': async (client) => shapeOf(await client.messages.create({ ...about, stream: true })),
}

export const cases = Object.fromEntries(
  Object.entries(platforms).flatMap(([platform, open]) =>
    Object.entries(does).map(([title, call]) => [
      `${platform}, ${title}`,
      { named: platform.split(' ').at(-1), does: ({ exports, url }) => call(open(exports, url)) },
    ]),
  ),
)
