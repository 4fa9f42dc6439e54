// Models of an application's own for the AI SDK, which ask the client of a vendor.
import { ask, KEY, openai, QUESTION, textOf } from './clients.mjs'

const own = (version, client) => ({
  specificationVersion: version,
  provider: 'own',
  modelId: 'own-model',
  supportedUrls: {},
  async doGenerate() {
    const text = textOf(await ask(client))
    const usage =
      version === 'v2'
        ? { inputTokens: 1, outputTokens: 2, totalTokens: 3 }
        : { inputTokens: { total: 1 }, outputTokens: { total: 2 } }
    const finishReason = version === 'v2' ? 'stop' : { unified: 'stop' }
    return { content: [{ type: 'text', text }], finishReason, usage, warnings: [] }
  },
})

const embedding = (version, client) => ({
  specificationVersion: version,
  provider: 'own',
  modelId: 'own-model',
  async doEmbed({ values }) {
    const { data } = await client.embeddings.create({ model: 'embedding-test', input: values })
    return { embeddings: data.map(({ embedding }) => embedding), warnings: [] }
  },
})

const text = (name, version) => async (kit) => {
  const { generateText } = await kit.load(name)
  return (await generateText({ model: own(version, await openai(kit)), prompt: QUESTION })).text
}

const vector = (name, version) => async (kit) => {
  const { embed } = await kit.load(name)
  return (await embed({ model: embedding(version, await openai(kit)), value: QUESTION })).embedding.length
}

const provided = async ({ load, url }) => {
  const { embedMany } = await load('ai')
  const { createOpenAI } = await load('@ai-sdk/openai')
  const model = createOpenAI({ apiKey: KEY, baseURL: `${url}/v1` }).embedding('embedding-test')
  return (await embedMany({ model, values: [QUESTION, QUESTION] })).embeddings.length
}

export default {
  'ai 5': text('ai-5', 'v2'),
  'ai 5, embedding': vector('ai-5', 'v2'),
  'ai 6': text('ai-6', 'v3'),
  'ai 6, embedding': vector('ai-6', 'v3'),
  'ai 7': text('ai', 'v4'),
  'ai 7, embedding': vector('ai', 'v4'),
  'ai 7, embedding of a provider': provided,
}
