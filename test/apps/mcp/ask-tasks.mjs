// A client that has its tools called as tasks: `node ask-tasks.mjs <1 or 2> <URL, or program of a server> <way>`.
// With version 2 it asks through the extension of the SDK. It prints what it gets.
import { startActiveObservation } from '@svc/tracing'

const [, , version, target, way] = process.argv
const parts =
  version === '1'
    ? ['sdk/client/index.js', 'sdk/client/stdio.js', 'sdk/client/streamableHttp.js', 'sdk/types.js']
    : ['client', 'client/stdio', 'ext-tasks/client']
const exports = await Promise.all(parts.map((part) => import(`@modelcontextprotocol/${part}`)))
const { Client, StdioClientTransport, StreamableHTTPClientTransport, ...others } = Object.assign({}, ...exports)

const client = new Client({ name: 'application', version: '3.0.0' }, {})
const transport =
  way === 'stdio'
    ? new StdioClientTransport({ command: process.execPath, args: [target], env: process.env })
    : new StreamableHTTPClientTransport(new URL(target))
await client.connect(transport)
const call = version === '1' ? callerByHand() : callerOfSession()

/** Asks for states until they are last ones, and then for the result. */
function callerByHand() {
  const { CreateTaskResultSchema, CallToolResultSchema } = others
  const { tasks } = client.experimental
  return async (name, isLeft) => {
    const params = { name, arguments: {}, task: { ttl: 60_000 } }
    const { task } = await client.request({ method: 'tools/call', params }, CreateTaskResultSchema)
    if (isLeft) return (await tasks.cancelTask(task.taskId)).status
    await tasks.getTask(task.taskId)
    return tasks.getTaskResult(task.taskId, CallToolResultSchema).then(
      ({ content }) => content,
      (error) => error.message,
    )
  }
}

function callerOfSession() {
  const session = others.createTaskSessionFromClient(client, { endpointId: 'places' })
  return async (name, isLeft) => {
    const execution = await session.callTool(name, {})
    if (isLeft) await execution.cancel()
    const { outcome } = await execution.settle()
    return outcome.result?.content ?? [outcome.status, outcome.error?.message]
  }
}

const results = await startActiveObservation(
  'agent',
  async () => [await call('ask'), await call('broken'), await call('endless', true)],
  { asType: 'agent' },
)
await client.close()
console.log(JSON.stringify(results))
