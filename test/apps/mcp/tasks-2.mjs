// Version 2 of the SDK has tasks only for who answers these requests himself.
import { randomUUID } from 'node:crypto'
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node'
import { McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'
import { listen, TASK, WORK } from './tools.mjs'

const capabilities = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }
const { server } = new McpServer({ name: 'places', version: '1.2.0' }, { capabilities })
const tasks = new Map()

server.setRequestHandler('tools/list', () => {
  const of = (name) => ({ name, inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } })
  return { tools: Object.keys(WORK).map(of) }
})
server.setRequestHandler('tools/call', ({ params: { name } }) => {
  const now = new Date().toISOString()
  const state = { taskId: randomUUID(), status: 'working', createdAt: now, lastUpdatedAt: now, ...TASK }
  const result = WORK[name]().then((result) => {
    state.status = result.isError ? 'failed' : 'completed'
    return result
  })
  tasks.set(state.taskId, { state, result })
  return { content: [], task: { ...state } }
})

// It says what has become of the task, so that nobody asks twice.
const answers = {
  'tasks/get': async ({ state, result }) => {
    if (state.status === 'working') await result
    return state
  },
  'tasks/result': ({ result }) => result,
  'tasks/cancel': ({ state }) => Object.assign(state, { status: 'cancelled' }),
}
for (const [method, answer] of Object.entries(answers)) {
  server.setRequestHandler(method, { params: z.looseObject({ taskId: z.string() }) }, ({ taskId }) =>
    answer(tasks.get(taskId)),
  )
}

if (process.argv[2] === 'stdio') await server.connect(new StdioServerTransport())
else {
  const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: randomUUID })
  await server.connect(transport)
  listen((request, response) => transport.handleRequest(request, response))
}
