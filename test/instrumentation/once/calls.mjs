// One call of each library that instrumentations of other vendors know.
import { anthropic, ask, askAnthropic, bedrock, KEY, messages, QUESTION, textOf, weatherClient } from './clients.mjs'
import openaiCalls from './openai.mjs'

export default {
  ...openaiCalls,
  anthropic: async (kit) => askAnthropic(await anthropic(kit)),
  bedrock: async ({ load, url }) => {
    const { BedrockRuntimeClient, ConverseCommand } = await load('@aws-sdk/client-bedrock-runtime')
    const client = new BedrockRuntimeClient(bedrock(url))
    const command = new ConverseCommand({
      modelId: 'gpt-test',
      messages: [{ role: 'user', content: [{ text: QUESTION }] }],
    })
    return (await client.send(command)).output.message.content
  },
  cohere: async ({ load, url }) => {
    const { CohereClient } = await load('cohere-ai')
    return (await new CohereClient({ token: KEY, environment: url }).chat({ model: 'command-test', message: QUESTION }))
      .text
  },
  together: async ({ load, url }) => {
    const { Together } = await load('together-ai')
    return textOf(await ask(new Together({ baseURL: `${url}/v1`, apiKey: KEY })))
  },
  langchain: async ({ load, url }) => {
    const { ChatOpenAI } = await load('@langchain/openai')
    const { PromptTemplate } = await load('@langchain/core/prompts')
    const model = new ChatOpenAI({ apiKey: KEY, model: 'gpt-test', configuration: { baseURL: `${url}/v1` } })
    return (await PromptTemplate.fromTemplate('What is a {what}?').pipe(model).invoke({ what: 'span' })).content
  },
  llamaindex: async ({ load, url }) => {
    const { OpenAI } = await load('@llamaindex/openai')
    const llm = new OpenAI({ model: 'gpt-test', apiKey: KEY, baseURL: `${url}/v1` })
    return (await llm.chat({ messages })).message.content
  },
  mcp: async (kit) => (await weatherClient(kit)).callTool({ name: 'weather', arguments: { city: 'Paris' } }),
}
