// A server in a process of its own, for clients of any version: `node server.mjs` speaks on its standard streams,
// `node server.mjs http` on a port, which it prints.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { Server } from 'mcp-1.32/server/index.js'
import { SSEServerTransport } from 'mcp-1.32/server/sse.js'
import { StdioServerTransport } from 'mcp-1.32/server/stdio.js'
import { StreamableHTTPServerTransport } from 'mcp-1.32/server/streamableHttp.js'
import { CallToolRequestSchema } from 'mcp-1.32/types.js'
import { answerOf } from './tools.mjs'

function serverOfTools() {
  const server = new Server({ name: 'tools', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => answerOf(server, params))
  return server
}

let streams
async function answer(request, response) {
  const { pathname } = new URL(request.url, 'http://localhost')
  if (pathname === '/sse') {
    streams = new SSEServerTransport('/messages', response)
    await serverOfTools().connect(streams)
  } else if (pathname === '/messages') {
    await streams.handlePostMessage(request, response)
  } else {
    await transport.handleRequest(request, response)
  }
}

const overHttp = process.argv[2] === 'http'
const transport = overHttp
  ? new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID })
  : new StdioServerTransport()
await serverOfTools().connect(transport)
if (overHttp) {
  const listening = createServer(answer).listen(0, '127.0.0.1', () => console.log(listening.address().port))
  // It does not outlive its client.
  process.stdin.resume().on('end', () => process.exit())
}
