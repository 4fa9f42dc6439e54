import { randomUUID } from 'node:crypto'
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node'
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { ask, listen, text } from './tools.mjs'

const QUESTION = { messages: [{ role: 'user', content: text('What is a span?').content[0] }], maxTokens: 10 }
const CHOICE = {
  message: 'Which city?',
  requestedSchema: { type: 'object', properties: { city: { type: 'string' } } },
}

function places({ era } = {}) {
  const server = new McpServer({ name: 'places', version: '1.2.0' })
  server.registerTool('ask', {}, ask)
  if (era === 'modern') {
    // The client asks again, with what it was asked for.
    server.registerTool('have-asked', {}, ({ mcpReq: { inputResponses } }) =>
      inputResponses
        ? text([inputResponses.question.content.text, inputResponses.choice.content.city].join(' '))
        : inputRequired({
            inputRequests: { question: inputRequired.createMessage(QUESTION), choice: inputRequired.elicit(CHOICE) },
          }),
    )
  } else {
    server.registerTool('have-asked', {}, async ({ mcpReq }) => {
      const question = await mcpReq.requestSampling(QUESTION)
      const choice = await mcpReq.elicitInput(CHOICE)
      return text([question.content.text, choice.content.city].join(' '))
    })
  }
  return server
}

const [, , way] = process.argv
if (way === 'stdio') await places().connect(new StdioServerTransport())
else if (way === 'modern') {
  const { fetch } = createMcpHandler(places)
  listen((request) => fetch(request))
} else {
  const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: randomUUID })
  await places().connect(transport)
  listen((request, response) => transport.handleRequest(request, response))
}
