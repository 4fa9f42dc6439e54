// Clients of the vendors, pointed at the model server.
import { NodeHttpHandler } from '@smithy/node-http-handler'

export const KEY = 'sk-not-to-be-seen'
export const QUESTION = 'What is a span?'
export const WEATHER = 'How is the weather in Paris?'
export const messages = [{ role: 'user', content: QUESTION }]

export async function openai({ load, url }, name = 'openai', options = {}) {
  const { OpenAI } = await load(name)
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: KEY, ...options })
}

export const ask = (client, more = {}) => client.chat.completions.create({ model: 'gpt-test', messages, ...more })
export const textOf = ({ choices: [{ message }] }) => message.content

export async function streamed(stream) {
  let text = ''
  for await (const { choices } of stream) text += choices[0]?.delta.content ?? ''
  return text
}

export async function anthropic({ load, url }, name = '@anthropic-ai/sdk', options = {}) {
  const { Anthropic } = await load(name)
  return new Anthropic({ baseURL: url, apiKey: KEY, ...options })
}

export async function askAnthropic(client) {
  const { content } = await client.messages.create({ model: 'claude-test', max_tokens: 100, messages })
  return content[0].text
}

export const bedrock = (url) => ({
  endpoint: url,
  region: 'us-east-1',
  token: { token: KEY },
  authSchemePreference: ['httpBearerAuth'],
  maxAttempts: 1,
  requestHandler: new NodeHttpHandler(),
})

/** A server of the Model Context Protocol that knows one tool, in this process, and how to reach it. */
export async function weatherServer({ load, look = ({ city }) => `sunny in ${city}` }) {
  const { InMemoryTransport } = await load('@modelcontextprotocol/sdk/inMemory.js')
  const { McpServer } = await load('@modelcontextprotocol/sdk/server/mcp.js')
  const { z } = await load('zod')
  const server = new McpServer({ name: 'tools', version: '1.0.0' })
  server.registerTool('weather', { inputSchema: { city: z.string() } }, (input) => ({
    content: [{ type: 'text', text: look(input) }],
  }))
  const [near, far] = InMemoryTransport.createLinkedPair()
  await server.connect(far)
  return near
}

export async function weatherClient({ load, ...kit }) {
  const { Client } = await load('@modelcontextprotocol/sdk/client/index.js')
  const client = new Client({ name: 'application', version: '1.0.0' })
  await client.connect(await weatherServer({ load, ...kit }))
  return client
}

/** What an agent of the Agents SDK says. */
export async function agentsRun({ load, url }, options, more) {
  const { Agent, Runner, OpenAIProvider, setTraceProcessors } = await load('@openai/agents')
  setTraceProcessors([])
  const runner = new Runner({ modelProvider: new OpenAIProvider({ apiKey: KEY, baseURL: `${url}/v1`, ...options }) })
  const agent = new Agent({ name: 'Guide', model: 'gpt-test', ...more })
  return (await runner.run(agent, more ? WEATHER : QUESTION)).finalOutput
}
