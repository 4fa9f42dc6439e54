import { createRequire } from 'node:module'
import { modelCases } from '../generative-ai/models.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

// It speaks HTTPS to Google alone: what it would send there goes to the stand-in.
const HOST = 'https://europe-west1-aiplatform.googleapis.com'
const outside = globalThis.fetch

export function connect({ exports: { VertexAI }, url }) {
  globalThis.fetch = (address, options) => outside(String(address).replace(HOST, url), options)
  const client = new VertexAI({ project: 'a-project', location: 'europe-west1' })
  return {
    model: (parameters = {}) => {
      const model = client.getGenerativeModel({ model: 'gemini-test', ...parameters })
      // Google's own authentication looks for credentials on the machine.
      model.googleAuth = { getAccessToken: async () => 'not-to-be-seen' }
      return model
    },
  }
}

export const cases = modelCases
