import { createOpenAI } from '@ai-sdk/openai'
import { StringOutputParser } from '@langchain/core/output_parsers'
import { ChatPromptTemplate } from '@langchain/core/prompts'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { Agent, OpenAIProvider, Runner, setTraceProcessors } from '@openai/agents'
import { startObservation } from '@svc/tracing'
import { generateText } from 'ai'
import { generateText as generateText6 } from 'ai-6'
import { createOpenAI as createOpenAI6 } from 'ai-sdk-openai-3'
import { z } from 'zod'

const apiKey = 'none'
const baseURL = (url) => `${url}/v1`
const prompt = 'Say hello.'

export const frameworks = {
  agents: (url) => {
    setTraceProcessors([])
    const runner = new Runner({
      modelProvider: new OpenAIProvider({ apiKey, baseURL: baseURL(url), useResponses: true }),
    })
    return runner.run(new Agent({ name: 'Guide', model: 'gpt-test' }), prompt)
  },
  mcp: async () => {
    const server = new McpServer({ name: 'tools', version: '1.0.0' })
    const look = () => ({ content: [{ type: 'text', text: 'sunny' }] })
    server.registerTool('weather', { inputSchema: { city: z.string() } }, look)
    const client = new Client({ name: 'application', version: '1.0.0' })
    const [near, far] = InMemoryTransport.createLinkedPair()
    await Promise.all([server.connect(far), client.connect(near)])
    await client.callTool({ name: 'weather', arguments: { city: 'Paris' } })
  },
  langchain: (url) => {
    const configuration = { baseURL: baseURL(url) }
    const model = new ChatOpenAI({ model: 'gpt-test', apiKey, configuration })
    return ChatPromptTemplate.fromTemplate('{question}').pipe(model).pipe(new StringOutputParser()).invoke({
      question: prompt,
    })
  },
  'a tool of LangChain': () => {
    const look = ({ city }) => {
      startObservation('looking outside').end()
      return `sunny in ${city}`
    }
    return tool(look, { name: 'weather', schema: z.object({ city: z.string() }) }).invoke({ city: 'Paris' })
  },
  // The registry of version 7 needs no line, and there is none for what came before.
  'ai 7': (url) => generateText({ model: createOpenAI({ apiKey, baseURL: baseURL(url) })('gpt-test'), prompt }),
  'ai 6': (url) =>
    generateText6({
      model: createOpenAI6({ apiKey, baseURL: baseURL(url) })('gpt-test'),
      prompt,
      experimental_telemetry: { isEnabled: true },
    }),
}
