import { createRequire } from 'node:module'
import { chatCases, fiftyChats } from '../harness/chat-completions.mjs'
import { QUESTION } from '../harness/kit.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

export function connect({ exports, url }, options = {}) {
  // The class itself, with the names on it, is what `require` gives.
  const Together = exports.Together ?? exports.default ?? exports
  return new Together({ baseURL: `${url}/v1`, apiKey: 'sk-not-to-be-seen', ...options })
}

const ask = (content, more = {}) => ({ model: 'llama-test', messages: [{ role: 'user', content }], ...more })

export const cases = {
  ...chatCases(connect, ask),
  completions: ({ client }) => client.completions.create({ model: 'llama-test', prompt: QUESTION }),
  embeddings: ({ client }) => client.embeddings.create({ model: 'embedding-test', input: ['a', 'b'] }),
  images: ({ client }) => client.images.generate({ model: 'flux-test', prompt: 'A cat' }),
  '50 at once': fiftyChats(ask),
}
