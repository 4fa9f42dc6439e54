// A server whose tool asks a model, and another tool that has its client ask one.
// `node answering.mjs <package> stdio`, or `http`, on a port that it prints.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import OpenAI from 'openai'
import { partsOf } from './modules.mjs'

const text = (content) => ({ content: [{ type: 'text', text: content }] })

/** @param exports of the package */
export function serverOf({ McpServer }) {
  const server = new McpServer({ name: 'places', version: '1.2.0' })
  server.registerTool('ask', {}, async () => {
    const messages = [{ role: 'user', content: 'How is the weather?' }]
    const { choices } = await new OpenAI().chat.completions.create({ model: 'gpt-test', messages })
    return text(choices[0].message.content)
  })
  server.registerTool('have asked', {}, async () => {
    const messages = [{ role: 'user', content: text('What is a span?').content[0] }]
    const { content } = await server.server.createMessage({ messages, maxTokens: 10 })
    return text(content.text)
  })
  server.registerResource('map', 'map://paris', {}, () => ({ contents: [{ uri: 'map://paris', text: 'a map' }] }))
  server.registerPrompt('greet', {}, () => ({ messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }] }))
  return server
}

if (import.meta.url.endsWith(process.argv[1].split('/').at(-1))) {
  const [, , name, way] = process.argv
  const exports = Object.assign({}, ...(await Promise.all(partsOf(name, 'server').map((part) => import(part)))))
  if (way === 'stdio') await serverOf(exports).connect(new exports.StdioServerTransport())
  else await overHttp(exports)
}

async function overHttp(exports) {
  const { StreamableHTTPServerTransport, NodeStreamableHTTPServerTransport = StreamableHTTPServerTransport } = exports
  const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: randomUUID })
  await serverOf(exports).connect(transport)
  const server = createServer((request, response) => transport.handleRequest(request, response))
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))
}
