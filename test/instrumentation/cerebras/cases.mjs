import { createRequire } from 'node:module'
import { chatCases, fiftyChats } from '../harness/chat-completions.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

export function connect({ exports, url }, options = {}) {
  // The class itself, with the names on it, is what `require` gives.
  const Cerebras = exports.Cerebras ?? exports.default ?? exports
  const baseURL = url.replace(/\/v1$/, '')
  // It would ask for something as soon as it is made, which races with what is asked next.
  return new Cerebras({ baseURL, apiKey: 'sk-not-to-be-seen', warmTCPConnection: false, ...options })
}

const ask = (content, more = {}) => ({ model: 'llama-test', messages: [{ role: 'user', content }], ...more })

export const cases = {
  ...chatCases(connect, ask, 2),
  completion: {
    since: '1.14',
    does: ({ client }) => client.completions.create({ model: 'llama-test', prompt: 'Say hello.' }),
  },
  '50 at once': fiftyChats(ask),
}
