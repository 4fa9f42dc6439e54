import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { collect, errorOf, failReading, readUntil, shapeOf } from '../harness/kit.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

const CLAUDE = fileURLToPath(new URL('claude.mjs', import.meta.url))

export function connect({ exports }) {
  return {
    query: (prompt, options = {}) =>
      exports.query({
        prompt,
        options: { pathToClaudeCodeExecutable: CLAUDE, executable: process.execPath, ...options },
      }),
  }
}

const ask = async ({ client }, prompt, options) => collect(client.query(prompt, options))
const userMessage = (text) => ({
  type: 'user',
  session_id: '',
  parent_tool_use_id: null,
  message: { role: 'user', content: text },
})

export const cases = {
  plain: (kit) => ask(kit, 'plain question', { systemPrompt: 'Be brief.', model: 'claude-test' }),
  streamed: (kit) => ask(kit, 'plain question', { includePartialMessages: true }),
  tools: (kit) => ask(kit, 'tools, please'),
  'streamed tools': (kit) => ask(kit, 'tools, please', { includePartialMessages: true }),
  'a subagent': (kit) => ask(kit, 'subagent, please'),
  'calls that no message tells of': (kit) => ask(kit, 'untold, please'),
  'a tool of the application': async ({ client, exports: { createSdkMcpServer, tool } }) => {
    const { startActiveObservation } = await import('@svc/tracing')
    const content = [{ type: 'text', text: 'sunny' }]
    const weather = tool('weather', 'The weather of a city', {}, () =>
      startActiveObservation('look', () => ({ content })),
    )
    const places = createSdkMcpServer({ name: 'places', tools: [weather] })
    return collect(client.query('own tool, please', { mcpServers: { places } }))
  },
  'several questions': async ({ client }) => {
    const received = []
    let next
    async function* questions() {
      for (const question of ['plain question', 'tools, please']) {
        yield userMessage(question)
        await new Promise((resolve) => {
          next = resolve
        })
      }
    }
    for await (const message of client.query(questions())) {
      received.push(message)
      if (message.type === 'result') next()
    }
    return received
  },
  'read by hand': async ({ client }) => {
    const query = client.query('plain question')
    const received = []
    for (let read = await query.next(); !read.done; read = await query.next()) received.push(read.value)
    return received
  },
  'a process that was started before': {
    since: 0.2,
    does: async ({ exports }) => {
      const options = { pathToClaudeCodeExecutable: CLAUDE, executable: process.execPath, systemPrompt: 'Be brief.' }
      const warm = await exports.startup({ options })
      return [shapeOf(warm), warm.query.name, warm.query.length, await collect(warm.query('plain question'))]
    },
  },
  'left with the result': ({ client }) => readUntil(client.query('plain question'), ({ type }) => type === 'result'),
  'left early': ({ client }) => readUntil(client.query('tools, please'), ({ type }) => type === 'assistant'),
  'the reader throws': ({ client }) => failReading(client.query('tools, please'), ({ type }) => type === 'assistant'),
  'an answer that is too long': (kit) => ask(kit, 'long, please', { includePartialMessages: true }),
  'a refusal': (kit) => ask(kit, 'refused, please', { includePartialMessages: true }),
  'the limit of turns': (kit) => ask(kit, 'turns, please'),
  'a model that fails': (kit) => ask(kit, 'limited, please'),
  'a process that fails': ({ client }) => {
    const query = client.query('crash, please')
    return errorOf(collect(query)).then((error) => [error.class, error.message])
  },
  'no process': ({ client }) =>
    errorOf((async () => collect(client.query('plain', { pathToClaudeCodeExecutable: '/nowhere/claude' })))()).then(
      ({ class: name, message }) => [name, message],
    ),
  interrupted: async ({ client }) => {
    const received = []
    async function* question() {
      yield userMessage('hang, please')
      await new Promise((resolve) => setTimeout(resolve, 60_000).unref())
    }
    const query = client.query(question())
    for await (const message of query) {
      received.push(message)
      if (message.type === 'assistant') await query.interrupt()
      if (message.type === 'result') break
    }
    return received
  },
  'aborted during the answer': async ({ client }) => {
    const abortController = new AbortController()
    const received = []
    const failed = await errorOf(
      readUntil(client.query('hang, please', { abortController }), (message) => {
        received.push(message)
        if (message.type === 'assistant') abortController.abort()
      }),
    )
    return [received, failed?.class, failed?.message]
  },
  closed: {
    since: 0.2,
    does: async ({ client }) => {
      const query = client.query('hang, please')
      const received = []
      for await (const message of query) {
        received.push(message)
        if (message.type === 'assistant') query.close()
      }
      return received
    },
  },
  'the shape of a query': async ({ client, exports }) => {
    const query = client.query('plain question')
    const shapes = [shapeOf(query), exports.query.name, exports.query.length, query[Symbol.asyncIterator]() === query]
    return [...shapes, Object.getOwnPropertyNames(exports.query), (await collect(query)).length]
  },
  'wrong arguments': async ({ exports }) => errorOf((async () => exports.query())()).then(({ class: name }) => name),
  'five at once': (kit) => Promise.all([1, 2, 3, 4, 5].map(async () => (await ask(kit, 'plain question')).length)),
}
