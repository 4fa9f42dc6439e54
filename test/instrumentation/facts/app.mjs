// Asks each URL, whole and in a stream, by a major of the AI SDK, or LangChain, and a package of a provider.
// node --import @svc/register app.mjs <folder of the SDK> <its name there> <package> <{ name, url }[], as JSON>
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { startActiveObservation } from '@svc/tracing'

const CHAT = { model: 'model-test', apiKey: 'none', maxRetries: 0 }

const MODELS = {
  '@ai-sdk/anthropic': ({ createAnthropic }, settings) => createAnthropic(settings)('model-test'),
  '@ai-sdk/google': ({ createGoogleGenerativeAI }, settings) => createGoogleGenerativeAI(settings)('model-test'),
  '@ai-sdk/openai responses': ({ createOpenAI }, settings) => createOpenAI(settings).responses('model-test'),
  '@ai-sdk/xai responses': ({ createXai }, settings) => createXai(settings).responses('model-test'),
  '@ai-sdk/openai': ({ createOpenAI }, settings) => createOpenAI(settings).chat('model-test'),
  '@ai-sdk/openai-compatible': ({ createOpenAICompatible }, settings) =>
    createOpenAICompatible({ ...settings, name: 'compatible', includeUsage: true })('model-test'),
  '@ai-sdk/azure': ({ createAzure }, settings) => createAzure(settings).chat('model-test'),
  '@ai-sdk/deepseek': ({ createDeepSeek }, settings) => createDeepSeek(settings)('model-test'),
  '@ai-sdk/groq': ({ createGroq }, settings) => createGroq(settings)('model-test'),
  '@ai-sdk/mistral': ({ createMistral }, settings) => createMistral(settings)('model-test'),
  '@ai-sdk/perplexity': ({ createPerplexity }, settings) => createPerplexity(settings)('model-test'),
  '@ai-sdk/xai': ({ createXai }, settings) => createXai(settings).chat('model-test'),
  'xai-5': ({ createXai }, settings) => createXai(settings)('model-test'),
  '@openrouter/ai-sdk-provider': ({ createOpenRouter }, settings) => createOpenRouter(settings).chat('model-test'),

  '@langchain/anthropic': ({ ChatAnthropic }, { baseURL }) =>
    new ChatAnthropic({ ...CHAT, anthropicApiUrl: baseURL.replace(/\/v1$/, '') }),
  '@langchain/google': ({ ChatGoogle }, { baseURL }) => new ChatGoogle({ ...CHAT, endpoint: baseURL }),
  '@langchain/google-genai': ({ ChatGoogleGenerativeAI }, { baseURL }) =>
    new ChatGoogleGenerativeAI({ ...CHAT, baseUrl: baseURL }),
  '@langchain/openai responses': ({ ChatOpenAI }, configuration) =>
    new ChatOpenAI({ ...CHAT, configuration, useResponsesApi: true }),
  '@langchain/openrouter': ({ ChatOpenRouter }, { baseURL }) => new ChatOpenRouter({ ...CHAT, baseURL }),
  '@langchain/xai': ({ ChatXAI }, { baseURL }) => new ChatXAI({ ...CHAT, baseURL }),
}

const [folder, sdk, provider, vendors] = process.argv.slice(2)
const { resolve } = createRequire(`${folder}/app.mjs`)
const load = (name) => import(pathToFileURL(resolve(name)))
const [{ generateText, streamText }, exports] = await Promise.all([load(sdk), load(provider.split(' ')[0])])

const WAYS = {
  ai: {
    whole: (request) => generateText(request).catch(() => {}),
    streamed: (request) => streamText({ ...request, onError() {} }).consumeStream(),
  },
  langchain: {
    whole: ({ model, prompt }) => model.invoke(prompt),
    async streamed({ model, prompt }) {
      for await (const _ of await model.stream(prompt));
    },
  },
}
const { whole, streamed } = WAYS[provider.startsWith('@langchain/') ? 'langchain' : 'ai']

for (const { name, url } of JSON.parse(vendors)) {
  const model = MODELS[provider](exports, { baseURL: url, apiKey: 'none' })
  const request = { model, prompt: 'How is the weather?', maxRetries: 0 }
  await startActiveObservation(`${name}, whole`, () => whole(request))
  await startActiveObservation(`${name}, streamed`, () => streamed(request))
}
