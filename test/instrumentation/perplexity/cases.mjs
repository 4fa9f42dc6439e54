import { chatCases, fiftyChats } from '../harness/chat-completions.mjs'
import { collect, QUESTION } from '../harness/kit.mjs'

export const load = { import: (name) => import(name) }

export function connect({ exports: { Perplexity }, url }, options = {}) {
  // Its paths begin with the version where the protocol has one.
  return new Perplexity({ baseURL: `${url}/v1`, apiKey: 'sk-not-to-be-seen', ...options })
}

const ask = (content, more = {}) => ({ model: 'llama-test', messages: [{ role: 'user', content }], ...more })

/** Responses have the version in their path. */
const respond = (kit, more = {}) =>
  connect(kit, { baseURL: kit.url }).responses.create({ model: 'llama-test', input: QUESTION, ...more })

export const cases = {
  ...chatCases(connect, ask, '0'),
  response: { since: 0.38, does: (kit) => respond(kit) },
  'streamed response': { since: 0.38, does: async (kit) => collect(await respond(kit, { stream: true })) },
  '50 at once': fiftyChats(ask),
}
