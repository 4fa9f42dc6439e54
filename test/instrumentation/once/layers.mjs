// Layers of libraries, each of which knows of the call of a model or a tool: one of them has to tell of it.

import { trace } from '@opentelemetry/api'
import { CallbackHandler } from '@svc/langchain'
import { agentsRun, bedrock, KEY, QUESTION, WEATHER, weatherClient, weatherServer } from './clients.mjs'

const langchain =
  (name, chat, options) =>
  async ({ load, url }) => {
    const { [chat]: Chat } = await load(name)
    const { content } = await new Chat({
      apiKey: KEY,
      model: 'gpt-test',
      maxRetries: 0,
      ...(await options(url, load)),
    }).invoke(QUESTION)
    return content
  }
const overOpenAI = (url) => ({ configuration: { baseURL: `${url}/v1` } })

const aiSdk =
  (model) =>
  async ({ load, url }) => {
    const { generateText } = await load('ai')
    return (await generateText({ model: await model(url, load), prompt: QUESTION, maxRetries: 0 })).text
  }

/** Runs `ask` in a span that says of itself that it is the call of a model. */
const inChat = (ask) => (kit) =>
  trace.getTracer('app.providers').startActiveSpan('chat app', { attributes: CHAT }, async (span) => {
    const answer = await ask(kit)
    span.setAttributes({ 'gen_ai.usage.input_tokens': 3, 'gen_ai.usage.output_tokens': 5 }).end()
    return answer
  })
const CHAT = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-test' }

export default {
  'LangChain over openai': langchain('@langchain/openai', 'ChatOpenAI', overOpenAI),
  'LangChain over anthropic': langchain('@langchain/anthropic', 'ChatAnthropic', (url) => ({ anthropicApiUrl: url })),
  'LangChain over google-genai': langchain('@langchain/google-genai', 'ChatGoogleGenerativeAI', (url) => ({
    baseUrl: url,
  })),
  'LangChain over groq': langchain('@langchain/groq', 'ChatGroq', (url) => ({ baseUrl: url })),
  'LangChain over ollama': langchain('@langchain/ollama', 'ChatOllama', (url) => ({ baseUrl: url })),
  'LangChain over cohere': langchain('@langchain/cohere', 'ChatCohere', async (url, load) => {
    const { CohereClient } = await load('cohere-ai')
    return { client: new CohereClient({ token: KEY, environment: url }) }
  }),
  'LangChain over mistral': langchain('@langchain/mistralai', 'ChatMistralAI', (url) => ({
    serverURL: `${url}/mistral`,
  })),
  'LangChain over bedrock': langchain('@langchain/aws', 'ChatBedrockConverse', async (url, load) => {
    const { BedrockRuntimeClient } = await load('@aws-sdk/client-bedrock-runtime')
    return { client: new BedrockRuntimeClient(bedrock(url)), region: 'us-east-1' }
  }),
  'LangChain, streamed': async ({ load, url }) => {
    const { ChatOpenAI } = await load('@langchain/openai')
    let text = ''
    for await (const { content } of await new ChatOpenAI({ apiKey: KEY, model: 'gpt-test', ...overOpenAI(url) }).stream(
      QUESTION,
    ))
      text += content
    return text
  },
  'LangChain embeddings over openai': async ({ load, url }) => {
    const { OpenAIEmbeddings } = await load('@langchain/openai')
    return (await new OpenAIEmbeddings({ apiKey: KEY, ...overOpenAI(url) }).embedQuery(QUESTION)).length
  },
  'LangChain with a handler of the application': async ({ load, url }) => {
    const { ChatOpenAI } = await load('@langchain/openai')
    const model = new ChatOpenAI({ apiKey: KEY, model: 'gpt-test', ...overOpenAI(url) })
    return (await model.invoke(QUESTION, { callbacks: [new CallbackHandler()] })).content
  },
  'LangChain with tools of an MCP server': async (kit) => {
    const { loadMcpTools } = await kit.load('@langchain/mcp-adapters')
    const [plain] = await loadMcpTools('places', await weatherClient(kit))
    const [prefixed] = await loadMcpTools('places', await weatherClient(kit), { prefixToolNameWithServerName: true })
    return [plain.name, await plain.invoke({ city: 'Paris' }), prefixed.name, await prefixed.invoke({ city: 'Rome' })]
  },
  'a tool of LangChain that asks an MCP server for others': async (kit) => {
    const { tool } = await kit.load('@langchain/core/tools')
    const { z } = await kit.load('zod')
    const client = await weatherClient(kit)
    const weather = (city) => client.callTool({ name: 'weather', arguments: { city } })
    const both = tool(async () => Promise.all([weather('Paris'), weather('Rome')]).then((all) => all.length), {
      name: 'both',
      schema: z.object({}),
    })
    return both.invoke({})
  },
  'agents over responses': (kit) => agentsRun(kit, { useResponses: true }),
  'agents over chat completions': (kit) => agentsRun(kit, { useResponses: false }),
  'agents with tools of an MCP server': async (kit) => {
    const { MCPServerStdio } = await kit.load('@openai/agents')
    const stdio = new MCPServerStdio({
      name: 'places',
      command: process.execPath,
      args: [new URL('./weather-server.mjs', import.meta.url).pathname],
      // On a busy machine the process may take longer to start than a request to it may.
      clientSessionTimeoutSeconds: 600,
    })
    await stdio.connect()
    const answer = await agentsRun(kit, { useResponses: false }, { mcpServers: [stdio] })
    await stdio.close()
    return answer
  },
  'AI SDK over its openai provider': aiSdk(async (url, load) =>
    (await load('@ai-sdk/openai')).createOpenAI({ apiKey: KEY, baseURL: `${url}/v1` }).chat('gpt-test'),
  ),
  'AI SDK over its anthropic provider': aiSdk(async (url, load) =>
    (await load('@ai-sdk/anthropic')).createAnthropic({ apiKey: KEY, baseURL: `${url}/v1` })('claude-test'),
  ),
  'AI SDK over its bedrock provider': aiSdk(async (url, load) =>
    (await load('@ai-sdk/amazon-bedrock')).createAmazonBedrock({ apiKey: KEY, baseURL: url, region: 'us-east-1' })(
      'gpt-test',
    ),
  ),
  'AI SDK over a client that is seen': aiSdk(async (url, load) =>
    (await load('ai-sdk-ollama')).createOllama({ baseURL: url })('llama-test'),
  ),
  'AI SDK with tools of an MCP server': async (kit) => {
    const { createMCPClient } = await kit.load('@ai-sdk/mcp')
    const { generateText, stepCountIs } = await kit.load('ai')
    const { createOpenAI } = await kit.load('@ai-sdk/openai')
    const client = await createMCPClient({ transport: await weatherServer(kit) })
    const model = createOpenAI({ apiKey: KEY, baseURL: `${kit.url}/v1` }).chat('gpt-test')
    return (await generateText({ model, tools: await client.tools(), prompt: WEATHER, stopWhen: stepCountIs(3) })).text
  },
  'LlamaIndex over openai': async ({ load, url }) => {
    const { OpenAI } = await load('@llamaindex/openai')
    const llm = new OpenAI({ model: 'gpt-test', apiKey: KEY, baseURL: `${url}/v1` })
    return (await llm.chat({ messages: [{ role: 'user', content: QUESTION }] })).message.content
  },
  // As promptfoo's, Strands' and the application's own.
  'a span of a chat around openai': inChat(async ({ load, url }) => {
    const { default: OpenAI } = await load('openai')
    const client = new OpenAI({ apiKey: KEY, baseURL: `${url}/v1` })
    const { choices } = await client.chat.completions.create({
      model: 'gpt-test',
      messages: [{ role: 'user', content: QUESTION }],
    })
    return choices[0].message.content
  }),
}
