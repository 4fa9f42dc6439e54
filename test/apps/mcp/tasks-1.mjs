import { randomUUID } from 'node:crypto'
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { listen, TASK, WORK } from './tools.mjs'

const tasks = { list: {}, cancel: {}, requests: { tools: { call: {} } } }
const capabilities = { tools: {}, tasks }
const server = new McpServer({ name: 'places', version: '1.2.0' }, { capabilities, taskStore: new InMemoryTaskStore() })
for (const [name, work] of Object.entries(WORK)) {
  server.experimental.tasks.registerToolTask(
    name,
    {},
    {
      async createTask({ taskStore }) {
        const task = await taskStore.createTask(TASK)
        const keep = (result) => taskStore.storeTaskResult(task.taskId, result.isError ? 'failed' : 'completed', result)
        work().then(keep)
        return { task }
      },
      getTask: ({ taskId, taskStore }) => taskStore.getTask(taskId),
      getTaskResult: ({ taskId, taskStore }) => taskStore.getTaskResult(taskId),
    },
  )
}
if (process.argv[2] === 'stdio') await server.connect(new StdioServerTransport())
else {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID })
  await server.connect(transport)
  listen((request, response) => transport.handleRequest(request, response))
}
