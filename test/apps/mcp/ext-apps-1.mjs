import { randomUUID } from 'node:crypto'
import { RESOURCE_MIME_TYPE, registerAppResource, registerAppTool } from '@modelcontextprotocol/ext-apps/server'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { ask, listen } from './tools.mjs'

const server = new McpServer({ name: 'places', version: '1.2.0' })
const resourceUri = 'ui://places/map.html'
registerAppTool(server, 'ask', { _meta: { ui: { resourceUri } } }, ask)
registerAppResource(server, 'map', resourceUri, {}, () => ({
  contents: [{ uri: resourceUri, mimeType: RESOURCE_MIME_TYPE, text: '<p>A map' }],
}))
if (process.argv[2] === 'stdio') await server.connect(new StdioServerTransport())
else {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID })
  await server.connect(transport)
  listen((request, response) => transport.handleRequest(request, response))
}
