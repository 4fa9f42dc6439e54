import { once } from 'node:events'
import { createRequire } from 'node:module'
import { QUESTION } from '../harness/kit.mjs'
import { modelCases } from './models.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

export function connect({ exports: { GoogleGenerativeAI }, url }) {
  const client = new GoogleGenerativeAI('sk-not-to-be-seen')
  return {
    model: (parameters = {}) => client.getGenerativeModel({ model: 'gemini-test', ...parameters }, { baseUrl: url }),
  }
}

export const cases = {
  ...modelCases,
  'error nobody handles': async ({ client }) => {
    client.model({ model: 'error-401' }).generateContent(QUESTION)
    await once(process, 'unhandledRejection')
  },
  embedding: ({ client }) => client.model({ model: 'embedding-test' }).embedContent('a'),
  embeddings: ({ client }) =>
    client.model({ model: 'embedding-test' }).batchEmbedContents({
      requests: ['a', 'b'].map((text) => ({ content: { role: 'user', parts: [{ text }] } })),
    }),
}
