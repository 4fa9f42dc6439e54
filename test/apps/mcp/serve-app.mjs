import { randomUUID } from 'node:crypto'
import { RESOURCE_MIME_TYPE, registerAppResource, registerAppTool } from '@modelcontextprotocol/ext-apps/server'
import { ask, listen } from './tools.mjs'

/** Serves a tool with an app, by the classes of either SDK. */
export async function serveApp(McpServer, StdioTransport, HttpTransport) {
  const server = new McpServer({ name: 'places', version: '1.2.0' })
  const resourceUri = 'ui://places/map.html'
  registerAppTool(server, 'ask', { _meta: { ui: { resourceUri } } }, ask)
  registerAppResource(server, 'map', resourceUri, {}, () => ({
    contents: [{ uri: resourceUri, mimeType: RESOURCE_MIME_TYPE, text: '<p>A map' }],
  }))
  if (process.argv[2] === 'stdio') return server.connect(new StdioTransport())
  const transport = new HttpTransport({ sessionIdGenerator: randomUUID })
  await server.connect(transport)
  listen((request, response) => transport.handleRequest(request, response))
}
