import { createRequire } from 'node:module'
import { SvcVercelAiSdkIntegration } from '@svc/instrumentation/ai-sdk'
import { cases as shared, sinceSix } from '../ai-5/cases.mjs'
import { modelThat } from '../ai-5/model.mjs'
import { collect, errorOf, QUESTION, readUntil, WEATHER } from '../harness/kit.mjs'

export { connect } from '../ai-5/cases.mjs'

const require = createRequire(import.meta.url)
export const load = {
  import: async (name) => ({ ...(await import(name)), ...(await import('@ai-sdk/openai')) }),
  require: (name) => ({ ...require(name), ...require('@ai-sdk/openai') }),
}

// What it warns of names the process.
globalThis.AI_SDK_LOG_WARNINGS = false

// Integrations have taken the place of the tracer, see `packages/instrumentation/src/ai-sdk`.
const { 'a tracer of its own': _, ...others } = shared
export const cases = {
  ...others,
  ...sinceSix,
  'a picture': async ({ exports: { generateImage } }) => {
    const doGenerate = async ({ prompt }) => {
      if (prompt === 'fail') throw new Error('out of paint')
      return { images: ['iVBORw0KGgo='], warnings: [], response: { timestamp: new Date(0), modelId: 'painter-1' } }
    }
    const model = { specificationVersion: 'v4', provider: 'easel.image', modelId: 'painter', maxImagesPerCall: 1 }
    const painter = { ...model, doGenerate }
    const { images } = await generateImage({ model: painter, prompt: 'A cat on a mat', n: 2 })
    const failed = await errorOf(generateImage({ model: painter, prompt: 'fail', maxRetries: 0 }))
    return [images.map(({ base64 }) => base64), failed]
  },
  'one answer of a model': async ({
    exports: { experimental_streamLanguageModelCall: stream, jsonSchema },
    client,
  }) => {
    const model = client('gpt-4o-mini')
    const weather = { description: WEATHER.description, inputSchema: jsonSchema(WEATHER.parameters) }
    const { stream: whole } = await stream({ model, prompt: QUESTION, temperature: 0 })
    const pieces = await collect(whole)
    const { stream: called } = await stream({ model, prompt: 'How is the weather in Paris?', tools: { weather } })
    const calls = (await collect(called)).filter(({ type }) => type === 'tool-call')
    const { stream: left } = await stream({ model, prompt: QUESTION })
    await readUntil(left, ({ type }) => type === 'text-delta')
    const { stream: broken } = await stream({ model: modelThat('breaks', { client }), prompt: QUESTION })
    return [pieces.length, calls.map(({ toolName, input }) => [toolName, input]), await errorOf(collect(broken))]
  },
  // The last one: it holds for the rest of the process.
  'registered in code': async ({ exports: { generateText, registerTelemetry, streamText }, client }) => {
    registerTelemetry(new SvcVercelAiSdkIntegration())
    const { text } = await generateText({ model: client('gpt-4o-mini'), prompt: QUESTION })
    const { textStream } = streamText({ model: modelThat('stalls', { client }), prompt: QUESTION })
    return [text, await readUntil(textStream, (_, { length }) => length === 2)]
  },
}
