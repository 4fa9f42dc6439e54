import { chatCases, fiftyChats } from '../harness/chat-completions.mjs'

export const load = { import: (name) => import(name) }

export function connect({ exports: { Perplexity }, url }, options = {}) {
  // Its paths begin with the version where the protocol has one.
  return new Perplexity({ baseURL: `${url}/v1`, apiKey: 'sk-not-to-be-seen', ...options })
}

const ask = (content, more = {}) => ({ model: 'sonar-test', messages: [{ role: 'user', content }], ...more })

export const cases = { ...chatCases(connect, ask), '50 at once': fiftyChats(ask) }
