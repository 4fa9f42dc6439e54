// A client of the official SDK: `node ask-sdk.mjs <1 or 2> <URL, or program of a server> <way>`. It prints what it gets.
import { startActiveObservation } from '@svc/tracing'
import OpenAI from 'openai'

const [, , version, target, way] = process.argv
const parts =
  version === '1'
    ? ['sdk/client/index.js', 'sdk/client/stdio.js', 'sdk/client/streamableHttp.js']
    : ['client', 'client/stdio']
const exports = await Promise.all(parts.map((part) => import(`@modelcontextprotocol/${part}`)))
const { Client, StdioClientTransport, StreamableHTTPClientTransport } = Object.assign({}, ...exports)

const client = new Client(
  { name: 'application', version: '3.0.0' },
  {
    ...(version === '2' && { capabilities: { sampling: {}, elicitation: {} } }),
    ...(way === 'modern' && { versionNegotiation: { mode: 'auto' } }),
  },
)
if (version === '2') {
  client.setRequestHandler('sampling/createMessage', async ({ params }) => {
    const messages = params.messages.map(({ role, content }) => ({ role, content: content.text }))
    const { choices, model } = await new OpenAI().chat.completions.create({ model: 'gpt-test', messages })
    return { model, role: 'assistant', content: { type: 'text', text: choices[0].message.content } }
  })
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { city: 'Rome' } }))
}
const transport =
  way === 'stdio'
    ? new StdioClientTransport({ command: process.execPath, args: [target], env: process.env })
    : new StreamableHTTPClientTransport(new URL(target))
await client.connect(transport)
const results = await startActiveObservation(
  'agent',
  async () => {
    const { tools } = await client.listTools()
    const results = []
    for (const { name } of tools) results.push(await client.callTool({ name, arguments: {} }))
    if (client.getServerCapabilities().resources) {
      results.push(await client.readResource({ uri: 'ui://places/map.html' }))
    }
    return results
  },
  { asType: 'agent' },
)
await client.close()
console.log(JSON.stringify(results))
