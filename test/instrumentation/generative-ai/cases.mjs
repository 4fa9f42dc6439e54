import { once } from 'node:events'
import { createRequire } from 'node:module'
import { errorOf, QUESTION } from '../harness/kit.mjs'
import { modelCases } from './models.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

export function connect({ exports: { GoogleGenerativeAI }, url }) {
  const client = new GoogleGenerativeAI('sk-not-to-be-seen')
  return {
    model: (parameters = {}, options = {}) =>
      client.getGenerativeModel({ model: 'gemini-test', ...parameters }, { baseUrl: url, ...options }),
  }
}

export const cases = {
  ...modelCases,
  'error nobody handles': async ({ client }) => {
    client.model({ model: 'error-401' }).generateContent(QUESTION)
    await once(process, 'unhandledRejection')
  },
  timeout: {
    since: '0.24',
    does: ({ client }) => errorOf(client.model({ model: 'hang' }, { timeout: 50 }).generateContent(QUESTION)),
  },
  'aborted before the answer': {
    since: '0.24',
    does: ({ client }) => {
      const controller = new AbortController()
      setTimeout(() => controller.abort(), 50)
      return errorOf(client.model({ model: 'hang' }).generateContent(QUESTION, { signal: controller.signal }))
    },
  },
  embedding: ({ client }) => client.model({ model: 'embedding-test' }).embedContent('a'),
  embeddings: ({ client }) =>
    client.model({ model: 'embedding-test' }).batchEmbedContents({
      requests: ['a', 'b'].map((text) => ({ content: { role: 'user', parts: [{ text }] } })),
    }),
}
