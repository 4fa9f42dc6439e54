import { createRequire } from 'node:module'
import { errorOf } from '../harness/kit.mjs'
import { serve, VECTOR } from '../harness/vectors.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

const matches = [{ id: '1', score: 0.9, values: VECTOR, metadata: { text: 'A span is one unit of work.' } }]

export function connect({ exports: { Pinecone } }) {
  serve((path) =>
    path.startsWith('/vectors')
      ? { status: 400, body: { code: 3, message: 'not this one' } }
      : { body: { matches, namespace: 'en', usage: { readUnits: 1 } } },
  )
  const client = new Pinecone({ apiKey: 'sk-not-to-be-seen', fetchApi: globalThis.fetch })
  return client.index('notes', 'https://notes.svc.example').namespace('en')
}

const query = { topK: 1, includeMetadata: true, includeValues: true }

export const cases = {
  query: ({ client }) => client.query({ ...query, vector: VECTOR, filter: { year: 2024 } }),
  'query by id': ({ client }) => client.query({ ...query, id: '1' }),
  'an argument that is refused': {
    since: 9,
    does: ({ client }) => errorOf(client.query({ topK: 0, vector: VECTOR })),
  },
}
