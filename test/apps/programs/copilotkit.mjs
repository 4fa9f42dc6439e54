// An application with CopilotKit's runtime, which asks itself once, as its client does in a page.
import { once } from 'node:events'
import http from 'node:http'
import { CopilotRuntime, copilotRuntimeNodeHttpEndpoint, OpenAIAdapter } from '@copilotkit/runtime'
import OpenAI from 'openai'

const serviceAdapter = new OpenAIAdapter({ openai: new OpenAI(), model: 'gpt-test' })
const handle = copilotRuntimeNodeHttpEndpoint({
  endpoint: '/copilotkit',
  runtime: new CopilotRuntime(),
  serviceAdapter,
})
const server = http.createServer(handle)
await once(server.listen(0, '127.0.0.1'), 'listening')
const messages = [{ id: 'first', role: 'user', content: 'Say hello.' }]
const body = { threadId: 'thread', runId: 'run', messages, tools: [], context: [], state: {}, forwardedProps: {} }
const response = await fetch(`http://127.0.0.1:${server.address().port}/copilotkit`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
  body: JSON.stringify({ method: 'agent/run', params: { agentId: 'default' }, body }),
})
console.log(response.status, await response.text())
server.closeAllConnections()
server.close()
