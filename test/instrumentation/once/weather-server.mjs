// A server of the Model Context Protocol, spoken to by its standard input and output.

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'

const server = new McpServer({ name: 'tools', version: '1.0.0' })
server.registerTool('weather', { inputSchema: { city: z.string() } }, ({ city }) => ({
  content: [{ type: 'text', text: `sunny in ${city}` }],
}))
await server.connect(new StdioServerTransport())
