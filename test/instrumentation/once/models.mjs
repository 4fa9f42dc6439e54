// Models by the clients of frameworks, as the folders of libraries have theirs: what each of them is asked.
import { collect, WEATHER as TOOL, WEATHER_QUESTION } from '../harness/kit.mjs'
import { KEY, QUESTION } from './clients.mjs'

const textsOf = async (stream) => (await collect(stream)).map((text) => ({ text }))

const langchain =
  (name, chat, options) =>
  async ({ url }) => {
    const { [chat]: Chat } = await import(name)
    const model = new Chat({ apiKey: KEY, model: 'gpt-test', maxRetries: 0, ...options(url) })
    const { name: tool, description, parameters } = TOOL
    const withTools = model.bindTools([{ type: 'function', function: { name: tool, description, parameters } }])
    const calledIn = ({ tool_calls }) => tool_calls.map(({ name, args }) => ({ name, arguments: JSON.stringify(args) }))
    return {
      plain: async () => ({ text: (await model.invoke(QUESTION)).content }),
      streamed: async () => (await collect(await model.stream(QUESTION))).map(({ content }) => ({ content })),
      tools: async () => calledIn(await withTools.invoke(WEATHER_QUESTION)),
      'streamed tools': async () => {
        const [first, ...more] = await collect(await withTools.stream(WEATHER_QUESTION))
        return calledIn(more.reduce((whole, each) => whole.concat(each), first))
      },
    }
  }

const aiSdk =
  (name, create, options, id = 'gpt-test') =>
  async ({ url }) => {
    const [{ generateText, jsonSchema, stepCountIs, streamText, tool }, { [create]: provider }] = await Promise.all([
      import('ai'),
      import(name),
    ])
    const model = provider({ apiKey: KEY, ...options(url) })(id)
    const { description, parameters } = TOOL
    const weather = tool({
      description,
      inputSchema: jsonSchema(parameters),
      execute: ({ city }) => `sunny in ${city}`,
    })
    const about = { model, prompt: QUESTION, maxRetries: 0 }
    const withTools = { ...about, prompt: WEATHER_QUESTION, tools: { [TOOL.name]: weather }, stopWhen: stepCountIs(3) }
    return {
      plain: async () => ({ text: (await generateText(about)).text }),
      streamed: () => textsOf(streamText(about).textStream),
      tools: async () => ({ text: (await generateText(withTools)).text }),
      'streamed tools': () => textsOf(streamText(withTools).textStream),
    }
  }

const llamaIndex = async ({ url }) => {
  const { OpenAI } = await import('@llamaindex/openai')
  const llm = new OpenAI({ model: 'gpt-test', apiKey: KEY, baseURL: `${url}/v1` })
  const messages = [{ role: 'user', content: QUESTION }]
  const { name, description, parameters } = TOOL
  const tools = [{ metadata: { name, description, parameters }, call: ({ city }) => `sunny in ${city}` }]
  const asked = { messages: [{ role: 'user', content: WEATHER_QUESTION }], tools }
  return {
    plain: async () => ({ text: (await llm.chat({ messages })).message.content }),
    streamed: async () => (await collect(await llm.chat({ messages, stream: true }))).map(({ delta }) => ({ delta })),
    tools: async () =>
      (await llm.chat(asked)).message.options.toolCall.map(({ name, input }) => ({
        name,
        arguments: JSON.stringify(input),
      })),
  }
}

const MODELS = {
  'LangChain over anthropic': langchain('@langchain/anthropic', 'ChatAnthropic', (url) => ({ anthropicApiUrl: url })),
  'LangChain over google-genai': langchain('@langchain/google-genai', 'ChatGoogleGenerativeAI', (url) => ({
    baseUrl: url,
  })),
  'LangChain over groq': langchain('@langchain/groq', 'ChatGroq', (url) => ({ baseUrl: url })),
  'LangChain over ollama': langchain('@langchain/ollama', 'ChatOllama', (url) => ({ baseUrl: url })),
  'LangChain over mistral': langchain('@langchain/mistralai', 'ChatMistralAI', (url) => ({
    serverURL: `${url}/mistral`,
  })),
  'AI SDK over its anthropic provider': aiSdk(
    '@ai-sdk/anthropic',
    'createAnthropic',
    (url) => ({ baseURL: `${url}/v1` }),
    'claude-test',
  ),
  'AI SDK over ollama': aiSdk('ai-sdk-ollama', 'createOllama', (baseURL) => ({ baseURL }), 'llama-test'),
  'LlamaIndex over openai': llamaIndex,
}

export const load = { import: (name) => MODELS[name] }
export const connect = ({ exports: open, url }) => open({ url })

const title = (name) => [name, async ({ client }) => (await client)[name]?.()]
export const cases = Object.fromEntries(['plain', 'streamed', 'tools', 'streamed tools'].map(title))
