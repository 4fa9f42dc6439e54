// What is measured: each library, how it is asked, and what else works with this major of it. Peers load it themselves,
// because some of them have to come first.
import { createRequire } from 'node:module'
import { metrics } from '@opentelemetry/api'
import { baseURL, chatCompletions } from './chat-completions.mjs'
import { converse, requestHandler } from './converse.mjs'
import { content } from './gemini.mjs'
import { messages } from './messages.mjs'
import { drain, QUESTION } from './said.mjs'

const require = createRequire(import.meta.url)
const requestMessages = [{ role: 'user', content: QUESTION }]

const openai = (major, peers) => ({
  load: () => require(`openai-${major}`),
  replies: chatCompletions,
  peers,
  connect({ OpenAI }, { fetch }) {
    const { completions } = new OpenAI({ apiKey: 'none', baseURL, fetch }).chat
    const about = { model: 'gpt-test', messages: requestMessages }
    return {
      plain: () => completions.create({ ...about, temperature: 0.5 }),
      stream: async () => drain(await completions.create({ ...about, stream: true })),
    }
  },
})

export const LIBRARIES = {
  'openai-7': openai(7, {
    openinference(load) {
      const { OpenAIInstrumentation } = require('@arizeai/openinference-instrumentation-openai')
      new OpenAIInstrumentation().manuallyInstrument(load().OpenAI)
    },
  }),
  'openai-6': openai(6, {
    contrib(load) {
      const { OpenAIInstrumentation } = require('@opentelemetry/instrumentation-openai')
      const instrumentation = new OpenAIInstrumentation({ captureMessageContent: true })
      // Without one it throws into each stream of the application.
      instrumentation.setMeterProvider(metrics.getMeterProvider())
      const [definition] = instrumentation.getModuleDefinitions()
      definition.patch(load(), '6.49.0')
    },
  }),
  'anthropic-1': {
    load: () => require('@anthropic-ai/sdk'),
    replies: messages,
    peers: {
      native: () => Object.assign(process.env, NATIVE_ANTHROPIC),
      openinference(load) {
        process.env.ANTHROPIC_OPEN_TELEMETRY = 'false'
        const { AnthropicInstrumentation } = require('@arizeai/openinference-instrumentation-anthropic')
        new AnthropicInstrumentation().manuallyInstrument(load().Anthropic)
      },
    },
    connect({ Anthropic }, { fetch }) {
      const client = new Anthropic({ apiKey: 'none', fetch })
      const about = { model: 'claude-test', max_tokens: 1_000, messages: requestMessages }
      return {
        plain: () => client.messages.create(about),
        stream: async () => drain(await client.messages.create({ ...about, stream: true })),
      }
    },
  },
  'google-genai-3': {
    load: () => require('@google/genai'),
    replies: content,
    peers: {},
    connect({ GoogleGenAI }) {
      const { models } = new GoogleGenAI({ apiKey: 'none' })
      const about = { model: 'gemini-test', contents: QUESTION }
      return {
        plain: () => models.generateContent(about),
        stream: async () => drain(await models.generateContentStream(about)),
      }
    },
  },
  'bedrock-3': {
    load: () => require('@aws-sdk/client-bedrock-runtime'),
    replies: converse,
    peers: {
      contrib() {
        const { AwsInstrumentation } = require('@opentelemetry/instrumentation-aws-sdk')
        new AwsInstrumentation()
      },
    },
    connect({ BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand }, { fetch }) {
      const client = new BedrockRuntimeClient({
        region: 'us-east-1',
        token: { token: 'none' },
        authSchemePreference: ['httpBearerAuth'],
        requestHandler: requestHandler(fetch),
      })
      const about = { modelId: 'claude-test', messages: [{ role: 'user', content: [{ text: QUESTION }] }] }
      return {
        plain: () => client.send(new ConverseCommand(about)),
        stream: async () => drain((await client.send(new ConverseStreamCommand(about))).stream),
      }
    },
  },
  'ai-7': {
    load: () => require('ai'),
    replies: chatCompletions,
    svc(load) {
      const { SvcVercelAiSdkIntegration } = require('@svc/instrumentation/ai-sdk')
      load().registerTelemetry(new SvcVercelAiSdkIntegration())
    },
    peers: {
      'ai-sdk-otel'(load) {
        const { OpenTelemetry } = require('@ai-sdk/otel')
        load().registerTelemetry(new OpenTelemetry())
      },
    },
    connect({ generateText, streamText }, { fetch }) {
      const { createOpenAI } = require('@ai-sdk/openai')
      const about = { model: createOpenAI({ apiKey: 'none', baseURL, fetch }).chat('gpt-test'), prompt: QUESTION }
      return { plain: () => generateText(about), stream: () => drain(streamText(about).textStream) }
    },
  },
  'langchain-1': {
    load: () => require('@langchain/openai'),
    replies: chatCompletions,
    peers: {
      // What LangChain's own callbacks take, as soon as anybody listens.
      silence() {
        const { CallbackManager } = require('@langchain/core/callbacks/manager')
        const { BaseCallbackHandler } = require('@langchain/core/callbacks/base')
        const handler = silentHandler(BaseCallbackHandler)
        const own = CallbackManager._configureSync
        CallbackManager._configureSync = function (inheritable = [handler], ...more) {
          return own.call(this, inheritable, ...more)
        }
      },
      openinference() {
        const { LangChainInstrumentation } = require('@arizeai/openinference-instrumentation-langchain')
        new LangChainInstrumentation().manuallyInstrument(require('@langchain/core/callbacks/manager'))
      },
    },
    connect({ ChatOpenAI }, { fetch }) {
      const model = new ChatOpenAI({ model: 'gpt-test', apiKey: 'none', configuration: { baseURL, fetch } })
      return { plain: () => model.invoke(QUESTION), stream: async () => drain(await model.stream(QUESTION)) }
    },
  },
}

const silentHandler = (BaseCallbackHandler) =>
  new (class extends BaseCallbackHandler {
    name = 'silence'
    awaitHandlers = true
    handleChatModelStart() {}
    handleLLMNewToken() {}
    handleLLMEnd() {}
  })()

const NATIVE_ANTHROPIC = { ANTHROPIC_OPEN_TELEMETRY: 'true', ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE: 'content' }
