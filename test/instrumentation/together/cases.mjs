import { createRequire } from 'node:module'
import { audioCases, chatCases, fiftyChats } from '../harness/chat-completions.mjs'
import { QUESTION } from '../harness/kit.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

export function connect({ exports, url }, options = {}) {
  // The class itself, with the names on it, is what `require` gives.
  const Together = exports.Together ?? exports.default ?? exports
  return new Together({ baseURL: `${url}/v1`, apiKey: 'sk-not-to-be-seen', ...options })
}

const ask = (content, more = {}) => ({ model: 'llama-test', messages: [{ role: 'user', content }], ...more })

export const cases = {
  ...chatCases(connect, ask, '0.52'),
  // A mere 500 it does not try again.
  'two retries': ({ exports, url }) => {
    const headers = { 'retry-after-ms': '10' }
    const refusals = [1, 2].map(() => new Response('Try again', { status: 503, headers }))
    const flaky = async (...args) => refusals.pop() ?? fetch(...args)
    return connect({ exports, url }, { fetch: flaky }).chat.completions.create(ask(QUESTION), { maxRetries: 2 })
  },
  completions: ({ client }) => client.completions.create({ model: 'llama-test', prompt: QUESTION }),
  embeddings: ({ client }) => client.embeddings.create({ model: 'embedding-test', input: ['a', 'b'] }),
  images: ({ client: { images } }) => {
    const request = { model: 'flux-test', prompt: 'A cat' }
    return 'generate' in images ? images.generate(request) : images.create(request)
  },
  ...audioCases({ since: '0.52', spoken: '0.52' }),
  '50 at once': fiftyChats(ask),
}
