import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node'
import { McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { serveApp } from './serve-app.mjs'

await serveApp(McpServer, StdioServerTransport, NodeStreamableHTTPServerTransport)
