// A client of `answering.mjs`: `node asking.mjs <package> stdio`, `memory`, or the URL of the server. It prints what it gets.
import { startActiveObservation } from '@svc/tracing'
import OpenAI from 'openai'
import { serverOf } from './answering.mjs'
import { partsOf } from './modules.mjs'

const [, , name, way] = process.argv
const exports = Object.assign({}, ...(await Promise.all(partsOf(name, 'client').map((part) => import(part)))))
const { Client, CreateMessageRequestSchema = 'sampling/createMessage' } = exports
const client = new Client({ name: 'application', version: '3.0.0' }, { capabilities: { sampling: {} } })
client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => {
  const messages = params.messages.map(({ role, content }) => ({ role, content: content.text }))
  const { choices, model } = await new OpenAI().chat.completions.create({ model: 'gpt-test', messages })
  return { model, role: 'assistant', content: { type: 'text', text: choices[0].message.content } }
})

async function connect() {
  const { StdioClientTransport, StreamableHTTPClientTransport, InMemoryTransport } = exports
  if (way === 'memory') {
    const [near, far] = InMemoryTransport.createLinkedPair()
    const server = Object.assign({}, ...(await Promise.all(partsOf(name, 'server').map((part) => import(part)))))
    return Promise.all([serverOf(server).connect(far), client.connect(near)])
  }
  const args = [...process.execArgv, 'answering.mjs', name, 'stdio']
  const transport =
    way === 'stdio'
      ? new StdioClientTransport({ command: process.execPath, args, env: process.env })
      : new StreamableHTTPClientTransport(new URL(way))
  return client.connect(transport)
}

await connect()
const results = await startActiveObservation(
  'agent',
  async () => [
    await client.callTool({ name: 'ask', arguments: {} }),
    await client.callTool({ name: 'have asked', arguments: {} }),
    await client.readResource({ uri: 'map://paris' }),
    await client.getPrompt({ name: 'greet' }),
    (await client.listTools()).tools.map(({ name }) => name),
  ],
  { asType: 'agent' },
)
await client.close()
console.log(JSON.stringify(results))
