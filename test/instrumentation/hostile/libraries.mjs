// One way to ask each library for an answer, and one for a stream. Only the one that is asked for is loaded.
const [url, key] = [process.env.MODEL_URL, 'sk-not-to-be-seen']

const user = (content) => [{ role: 'user', content }]

export const libraries = {
  async openai(options = {}) {
    const { OpenAI } = await import('openai')
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0, ...options })
    const create = (model, content, more) => client.chat.completions.create({ model, messages: user(content), ...more })
    return { client, ask: create, stream: (model, content) => create(model, content, { stream: true }) }
  },
  async anthropic(options = {}) {
    const { Anthropic } = await import('@anthropic-ai/sdk')
    const client = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0, ...options })
    const create = (model, content, more) =>
      client.messages.create({ model, max_tokens: 100, messages: user(content), ...more })
    return { client, ask: create, stream: (model, content) => create(model, content, { stream: true }) }
  },
  async groq(options = {}) {
    const { Groq } = await import('groq-sdk')
    const client = new Groq({ baseURL: url, apiKey: key, maxRetries: 0, ...options })
    const create = (model, content, more) => client.chat.completions.create({ model, messages: user(content), ...more })
    return { client, ask: create, stream: (model, content) => create(model, content, { stream: true }) }
  },
  async 'google-genai'() {
    const { GoogleGenAI } = await import('@google/genai')
    const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } })
    return {
      client,
      ask: (model, contents) => client.models.generateContent({ model, contents }),
      stream: (model, contents) => client.models.generateContentStream({ model, contents }),
    }
  },
  async ollama() {
    const { Ollama } = await import('ollama')
    const client = new Ollama({ host: url })
    return {
      client,
      ask: (model, content) => client.chat({ model, messages: user(content) }),
      stream: (model, content) => client.chat({ model, messages: user(content), stream: true }),
    }
  },
  async cohere() {
    const { CohereClientV2 } = await import('cohere-ai')
    const client = new CohereClientV2({ token: key, environment: url })
    const once = { maxRetries: 0 }
    return {
      client,
      ask: (model, content) => client.chat({ model, messages: user(content) }, once),
      stream: (model, content) => client.chatStream({ model, messages: user(content) }, once),
    }
  },
  async mistral() {
    const { Mistral } = await import('@mistralai/mistralai')
    const client = new Mistral({ serverURL: `${url}/mistral`, apiKey: key })
    return {
      client,
      ask: (model, content) => client.chat.complete({ model, messages: user(content) }),
      stream: (model, content) => client.chat.stream({ model, messages: user(content) }),
    }
  },
  async bedrock(options = {}) {
    const { BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand } = await import(
      '@aws-sdk/client-bedrock-runtime'
    )
    const { NodeHttpHandler } = await import('@smithy/node-http-handler')
    const client = new BedrockRuntimeClient({
      endpoint: url,
      requestHandler: new NodeHttpHandler(),
      region: 'us-east-1',
      token: { token: key },
      authSchemePreference: ['httpBearerAuth'],
      maxAttempts: 1,
      ...options,
    })
    const ask = (model, text) => ({ modelId: model, messages: [{ role: 'user', content: [{ text }] }] })
    return {
      client,
      ask: (model, content) => client.send(new ConverseCommand(ask(model, content))),
      stream: async (model, content) => (await client.send(new ConverseStreamCommand(ask(model, content)))).stream,
    }
  },
  async ai(options = {}) {
    const [{ generateText, streamText }, { createOpenAI }] = await Promise.all([import('ai'), import('@ai-sdk/openai')])
    const client = createOpenAI({ baseURL: `${url}/v1`, apiKey: key, ...options })
    const ask = (model, prompt) => ({ model: client.chat(model), prompt, maxRetries: 0 })
    return {
      client,
      ask: (model, content) => generateText(ask(model, content)),
      stream: async (model, content) => streamText({ ...ask(model, content), onError() {} }).textStream,
    }
  },
  async langchain() {
    const { ChatOpenAI } = await import('@langchain/openai')
    const client = (model) =>
      new ChatOpenAI({ model, apiKey: key, maxRetries: 0, configuration: { baseURL: `${url}/v1` } })
    return {
      client: client('gpt-test'),
      ask: (model, content) => client(model).invoke(content),
      stream: (model, content) => client(model).stream(content),
    }
  },
}
