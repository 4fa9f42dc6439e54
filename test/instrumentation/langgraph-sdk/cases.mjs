import { createRequire } from 'node:module'
import { breakOf, collect, dropHalfRead, errorOf, failReading, readUntil, shapeOf } from '../harness/kit.mjs'
import { startGraphs } from './server.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

const server = await startGraphs()

export function connect({ exports: { Client } }) {
  return new Client({ apiUrl: server.url, apiKey: 'sk-not-to-be-seen', callerOptions: { maxRetries: 0 } })
}

const input = { messages: [{ role: 'user', content: 'What is a span?' }] }
const stream = ({ runs }, streamMode, assistant = 'agent', more = {}) =>
  runs.stream('thread-1', assistant, { input, streamMode, ...more })

export const cases = {
  wait: ({ client }) => client.runs.wait('thread-1', 'agent', { input }),
  'without a thread': ({ client }) => client.runs.wait(null, 'agent', { input }),
  'a run that goes on': ({ client }) => client.runs.wait('thread-1', 'agent', { command: { resume: 'yes' } }),
  'in the background': ({ client }) => client.runs.create('thread-1', 'agent', { input }),
  states: async ({ client }) => {
    const created = []
    const items = await collect(stream(client, 'values', 'agent', { onRunCreated: (run) => created.push(run) }))
    return [items, created]
  },
  updates: ({ client }) => collect(stream(client, 'updates')),
  'pieces of messages': ({ client }) => collect(stream(client, 'messages-tuple')),
  'messages whole': ({ client }) => collect(stream(client, 'messages')),
  'all at once': ({ client }) => collect(stream(client, ['updates', 'values', 'messages-tuple'])),
  'an assistant that is missing': ({ client }) => errorOf(client.runs.wait('thread-1', 'missing', { input })),
  'a run that fails': ({ client }) => errorOf(client.runs.wait('thread-1', 'fails', { input })),
  'a run that fails, as a value': ({ client }) => client.runs.wait('thread-1', 'fails', { input, raiseError: false }),
  'a stream that fails': ({ client }) => collect(stream(client, 'values', 'fails')),
  'a stream of what is missing': ({ client }) => errorOf(collect(stream(client, 'values', 'missing'))),
  'aborted before the answer': ({ client }) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 20)
    return errorOf(client.runs.wait('thread-1', 'hangs', { input, signal: controller.signal }))
  },
  'aborted during the answer': async ({ client }) => {
    const controller = new AbortController()
    const items = []
    try {
      for await (const item of stream(client, 'values', 'stalls', { signal: controller.signal })) {
        items.push(item)
        if (item.event === 'values') controller.abort()
      }
    } catch (error) {
      return [items, error.name]
    }
    return items
  },
  'left early': ({ client }) => readUntil(stream(client, 'values'), ({ event }) => event === 'values'),
  'the reader throws': ({ client }) => failReading(stream(client, 'values'), ({ event }) => event === 'values'),
  'a stream that breaks': ({ client }) => breakOf(stream(client, 'values', 'breaks')),
  'abandoned, unread': ({ client }) => shapeOf(stream(client, 'values')),
  'abandoned, half read': ({ client }) => dropHalfRead(stream(client, 'values', 'stalls')),
  'what the server was asked': () => server.takeRequests(),
}
