import { createMcpHandler } from 'mcp-handler'
import { ask, listen } from './tools.mjs'

// Version 1 has its third parameter for the path.
const handle = createMcpHandler((server) => server.registerTool('ask', {}, ask), {}, { basePath: '' })
listen((request) => handle(request))
