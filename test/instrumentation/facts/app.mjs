// Asks each URL, whole and in a stream, by a major of the AI SDK and a package of a provider.
// node --import @svc/register app.mjs <folder of the SDK> <its name there> <package> <{ name, url }[], as JSON>
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { startActiveObservation } from '@svc/tracing'

const MODELS = {
  '@ai-sdk/openai': ({ createOpenAI }, settings) => createOpenAI(settings).chat('model-test'),
  '@ai-sdk/openai-compatible': ({ createOpenAICompatible }, settings) =>
    createOpenAICompatible({ ...settings, name: 'compatible', includeUsage: true })('model-test'),
  '@ai-sdk/azure': ({ createAzure }, settings) => createAzure(settings).chat('model-test'),
  '@ai-sdk/deepseek': ({ createDeepSeek }, settings) => createDeepSeek(settings)('model-test'),
  '@ai-sdk/groq': ({ createGroq }, settings) => createGroq(settings)('model-test'),
  '@ai-sdk/mistral': ({ createMistral }, settings) => createMistral(settings)('model-test'),
  '@ai-sdk/perplexity': ({ createPerplexity }, settings) => createPerplexity(settings)('model-test'),
  '@ai-sdk/xai': ({ createXai }, settings) => createXai(settings).chat('model-test'),
  '@openrouter/ai-sdk-provider': ({ createOpenRouter }, settings) => createOpenRouter(settings).chat('model-test'),
}

const [folder, sdk, provider, vendors] = process.argv.slice(2)
const { resolve } = createRequire(`${folder}/app.mjs`)
const load = (name) => import(pathToFileURL(resolve(name)))
const [{ generateText, streamText }, exports] = await Promise.all([load(sdk), load(provider)])

for (const { name, url } of JSON.parse(vendors)) {
  const model = MODELS[provider](exports, { baseURL: url, apiKey: 'none' })
  const request = { model, prompt: 'How is the weather?', maxRetries: 0 }
  await startActiveObservation(`${name}, whole`, () => generateText(request).catch(() => {}))
  await startActiveObservation(`${name}, streamed`, () => streamText({ ...request, onError() {} }).consumeStream())
}
