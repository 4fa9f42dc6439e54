import { createRequire } from 'node:module'
import { audioCases, chatCases, fiftyChats } from '../harness/chat-completions.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

export function connect({ exports, url }, options = {}) {
  // The class itself, with the names on it, is what `require` gives.
  const Groq = exports.Groq ?? exports.default ?? exports
  return new Groq({ baseURL: url, apiKey: 'sk-not-to-be-seen', ...options })
}

const ask = (content, more = {}) => ({ model: 'llama-test', messages: [{ role: 'user', content }], ...more })

export const cases = {
  ...chatCases(connect, ask, 1),
  ...audioCases({ since: 1, older: 0, spoken: '0.37' }),
  embeddings: ({ client }) => client.embeddings.create({ model: 'embedding-test', input: ['a', 'b'] }),
  '50 at once': fiftyChats(ask),
}
