import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { collect, errorOf, fiftyAtOnce, readUntil, shapeOf } from '../harness/kit.mjs'
import { answerOf, WEATHER } from './tools.mjs'

export { load } from './modules.mjs'

const ANYTHING = z.looseObject({})
const CANCELLED = { status: 'cancelled', statusMessage: 'Client cancelled task execution.' }
const NOW = new Date().toISOString()
const SERVER = fileURLToPath(new URL('server.mjs', import.meta.url))

/** From version 2 on requests have names, and before it schemas. */
function onRequest(side, { exports }, schema, method, answer) {
  side.setRequestHandler(exports[schema] ?? method, answer)
}

function serverOf(kit) {
  const { Server, InMemoryTaskStore } = kit.exports
  const tasks = { requests: { tools: { call: {} } } }
  const capabilities = { tools: {}, ...(InMemoryTaskStore && { tasks }) }
  const taskStore = InMemoryTaskStore && new InMemoryTaskStore()
  const server = new Server({ name: 'tools', version: '1.0.0' }, { capabilities, taskStore })
  onRequest(server, kit, 'ListToolsRequestSchema', 'tools/list', () => ({ tools: [WEATHER] }))
  onRequest(server, kit, 'CallToolRequestSchema', 'tools/call', async ({ params }, extra) => {
    if (!params.task) return answerOf(server, params)
    const store = extra.taskStore ?? ownStore
    const task = await store.createTask({ ttl: 60_000, pollInterval: 10 })
    const keep = (result) => store.storeTaskResult(task.taskId, result.isError ? 'failed' : 'completed', result)
    setImmediate(async () => keep(await answerOf(server, params)))
    return { content: [], task }
  })
  const ownStore = taskStore || kit.exports.McpError ? undefined : storeOf(server)
  return server
}

/** From version 2 on the SDK has none. */
function storeOf(server) {
  const tasks = new Map()
  const asked = {
    'tasks/get': ({ taskId }) => ({ ...tasks.get(taskId).state }),
    'tasks/result': ({ taskId }) => tasks.get(taskId).result,
    'tasks/cancel': ({ taskId }) => Object.assign(tasks.get(taskId).state, CANCELLED),
  }
  for (const [method, answer] of Object.entries(asked)) server.setRequestHandler(method, { params: ANYTHING }, answer)
  return {
    createTask({ ttl, pollInterval }) {
      const state = {
        taskId: randomUUID().replaceAll('-', ''),
        status: 'working',
        ttl,
        createdAt: NOW,
        lastUpdatedAt: NOW,
        pollInterval,
      }
      const { promise: result, resolve } = Promise.withResolvers()
      tasks.set(state.taskId, { state, result, resolve })
      return { ...state }
    },
    storeTaskResult(taskId, status, result) {
      const { state, resolve } = tasks.get(taskId)
      Object.assign(state, { status })
      resolve(result)
    },
  }
}

function clientOf({ exports: { Client } }) {
  return new Client({ name: 'application', version: '1.0.0' }, { capabilities: { elicitation: {} } })
}

export function connect(kit) {
  const client = clientOf(kit)
  const [near, far] = kit.exports.InMemoryTransport.createLinkedPair()
  return Promise.all([serverOf(kit).connect(far), client.connect(near)]).then(() => client)
}

/** Version 2 takes no schema of the result. */
const call = async (kit, name, args = {}, options = undefined, client = kit.client) => {
  const called = { name, arguments: args }
  const { McpError } = kit.exports
  return McpError ? (await client).callTool(called, undefined, options) : (await client).callTool(called, options)
}

/** Calls a tool of a server in a process of its own. */
async function callOver(kit, transport) {
  const client = clientOf(kit)
  await client.connect(transport)
  const results = [await call(kit, 'weather', { city: 'Paris' }, undefined, client)]
  results.push(await call(kit, 'broken', { city: 'Nowhere' }, undefined, client))
  await client.close()
  return results
}

/** As it is now, and with the server-sent events that came before. */
async function overHttp(kit, url) {
  const { SSEClientTransport, StreamableHTTPClientTransport } = kit.exports
  const results = await callOver(kit, new StreamableHTTPClientTransport(url))
  return [...results, ...(await callOver(kit, new SSEClientTransport(new URL('/sse', url))))]
}

async function withServer(use) {
  const server = spawn(process.execPath, [SERVER, 'http'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(server, 'exit')
  const [port] = await once(server.stdout.setEncoding('utf8'), 'data')
  const results = await use(new URL(`http://127.0.0.1:${Number(port)}`))
  server.stdin.end()
  await ended
  return results
}

const streamOf = async ({ client }, name, args = {}, options = undefined) =>
  (await client).experimental.tasks.callToolStream({ name, arguments: args }, undefined, options)
const tasks = { since: 1.1, before: 2 }

/** Begins a task, and then asks for it in ways that its id is all there is for. */
const byId = (name, input, ...methods) => ({
  since: 1.1,
  does: async (kit) => {
    const client = await kit.client
    const ask = (method, params) => client.request({ method, params }, ANYTHING)
    const { task } = await ask('tools/call', { name, arguments: input, task: { ttl: 60_000 } })
    const answers = []
    for (const method of methods) answers.push(await ask(method, { taskId: task.taskId }))
    return answers.map(({ status, content }) => status ?? content)
  },
})

export const cases = {
  plain: (kit) => call(kit, 'weather', { city: 'Paris' }),
  'structured output': (kit) => call(kit, 'typed'),
  'a picture': (kit) => call(kit, 'picture'),
  'a tool that fails': (kit) => call(kit, 'broken', { city: 'Nowhere' }),
  'a tool that is not there': {
    before: 2,
    does: (kit) => errorOf(call(kit, 'nothing')),
  },
  'a tool that is not there, from version 2 on': { since: 2, does: (kit) => errorOf(call(kit, 'nothing')) },
  progress: async (kit) => {
    const received = []
    return [await call(kit, 'patient', {}, { onprogress: (progress) => received.push(progress) }), received]
  },
  elicitation: {
    since: 1.1,
    does: async (kit) => {
      const answer = () => ({ action: 'accept', content: { city: 'Oslo' } })
      onRequest(await kit.client, kit, 'ElicitRequestSchema', 'elicitation/create', answer)
      return call(kit, 'curious')
    },
  },
  'over stdio': (kit) =>
    callOver(kit, new kit.exports.StdioClientTransport({ command: process.execPath, args: [SERVER] })),
  'over HTTP': { since: 1.1, does: (kit) => withServer((url) => overHttp(kit, url)) },
  // It had another number before.
  timeout: { since: 1.1, before: 2, does: (kit) => errorOf(call(kit, 'silent', {}, { timeout: 50 })) },
  'timeout, from version 2 on': { since: 2, does: (kit) => errorOf(call(kit, 'silent', {}, { timeout: 50 })) },
  // A server was not told of it before.
  'aborted before the answer': {
    since: 1.1,
    does: (kit) => {
      const controller = new AbortController()
      setTimeout(() => controller.abort(), 50)
      return errorOf(call(kit, 'silent', {}, { signal: controller.signal }))
    },
  },
  'aborted during the call': {
    since: 1.1,
    does: (kit) => {
      const controller = new AbortController()
      const { signal } = controller
      return errorOf(call(kit, 'never done', {}, { signal, onprogress: () => controller.abort() }))
    },
  },
  'a streamed call': { ...tasks, does: async (kit) => collect(await streamOf(kit, 'weather', { city: 'Paris' })) },
  'a task': {
    ...tasks,
    does: async (kit) => {
      const options = { task: { ttl: 60_000, pollInterval: 10 } }
      const items = await collect(await streamOf(kit, 'weather', { city: 'Paris' }, options))
      return items.map(({ type, result }) => [type, result?.content])
    },
  },
  'a streamed call that fails': {
    ...tasks,
    does: async (kit) => (await collect(await streamOf(kit, 'nothing'))).map(({ type }) => type),
  },
  'a task left early': {
    ...tasks,
    does: async (kit) => {
      const items = await streamOf(kit, 'weather', { city: 'Paris' }, { task: { ttl: 60_000 } })
      return (await readUntil(items, () => true)).map(({ type }) => type)
    },
  },
  'a task by its id': byId('weather', { city: 'Paris' }, 'tasks/result', 'tasks/get', 'tasks/get'),
  'a task that fails': byId('broken', { city: 'Nowhere' }, 'tasks/get', 'tasks/result'),
  'a task that is cancelled': byId('silent', {}, 'tasks/get', 'tasks/cancel', 'tasks/get'),
  'other requests': async ({ client }) => (await client).listTools(),
  'the shape of a promise': async ({ client }) => {
    const promise = (await client).callTool({ name: 'weather', arguments: { city: 'Rome' } })
    return [shapeOf(promise), await promise]
  },
  '50 at once': (kit) => fiftyAtOnce((number) => call(kit, 'weather', { city: number })),
}
