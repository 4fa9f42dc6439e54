// Asks each URL, whole and in a stream, by a major of the AI SDK.
// node --import @svc/register app.mjs <folder of the SDK> <its name there> <{ name, url }[], as JSON>
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { startActiveObservation } from '@svc/tracing'

const [folder, name, vendors] = process.argv.slice(2)
const { resolve } = createRequire(`${folder}/app.mjs`)
const load = (name) => import(pathToFileURL(resolve(name)))
const [{ generateText, streamText }, { createOpenAI }] = await Promise.all([load(name), load('@ai-sdk/openai')])

for (const { name, url } of JSON.parse(vendors)) {
  const model = createOpenAI({ baseURL: url, apiKey: 'none' }).chat('model-test')
  const request = { model, prompt: 'How is the weather?', maxRetries: 0 }
  await startActiveObservation(`${name}, whole`, () => generateText(request).catch(() => {}))
  await startActiveObservation(`${name}, streamed`, () => streamText({ ...request, onError() {} }).consumeStream())
}
