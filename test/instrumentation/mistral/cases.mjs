import { collect, errorOf, fiftyAtOnce, QUESTION, WEATHER, WEATHER_QUESTION } from '../harness/kit.mjs'

export const load = { import: (name) => import(name) }

export function connect({ exports: { Mistral }, url }) {
  return new Mistral({ serverURL: `${url}/mistral`, apiKey: 'sk-not-to-be-seen' })
}

const ask = (content, more = {}) => ({ model: 'mistral-small', messages: [{ role: 'user', content }], ...more })
const weather = ask(WEATHER_QUESTION, { tools: [{ type: 'function', function: WEATHER }] })

export const cases = {
  plain: ({ client }) =>
    client.chat.complete(
      ask(QUESTION, {
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: QUESTION },
        ],
        temperature: 0.5,
        maxTokens: 100,
        topP: 0.9,
        randomSeed: 7,
      }),
    ),
  streamed: async ({ client }) => collect(await client.chat.stream(ask(QUESTION))),
  tools: ({ client }) => client.chat.complete(weather),
  'error 429': async ({ client }) => {
    const failed = client.chat.complete(ask(QUESTION, { model: 'error-429' }), { retries: { strategy: 'none' } })
    const { class: name, message } = await errorOf(failed)
    return [name, message]
  },
  timeout: async ({ client }) => {
    const { class: name } = await errorOf(client.chat.complete(ask(QUESTION, { model: 'hang' }), { timeoutMs: 50 }))
    return name
  },
  embeddings: ({ client }) =>
    client.embeddings.create({ model: 'mistral-embed', inputs: ['a', 'b'] }).then(({ data }) => data.length),
  '50 at once': ({ client }) =>
    fiftyAtOnce(async (number) => (await client.chat.complete(ask(`Question ${number}?`))).choices[0].message.content),
}
