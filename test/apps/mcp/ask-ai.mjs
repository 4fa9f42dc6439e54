// A client of the AI SDK: `node ask-ai.mjs <URL, or program of a server> <way>`. It prints what it gets.
import * as mcp from '@ai-sdk/mcp'
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio'
import { startActiveObservation } from '@svc/tracing'

const [, , target, way] = process.argv
const { createMCPClient = mcp.experimental_createMCPClient } = mcp
const transport =
  way === 'stdio'
    ? new StdioTransport({ command: process.execPath, args: [target], env: process.env })
    : { type: 'http', url: target }
const client = await createMCPClient({ transport })
const result = await startActiveObservation(
  'agent',
  async () => {
    const { ask } = await client.tools()
    return ask.execute({}, { toolCallId: '1', messages: [] })
  },
  { asType: 'agent' },
)
await client.close()
console.log(JSON.stringify([result]))
