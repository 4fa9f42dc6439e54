import { createRequire } from 'node:module'
import { errorOf } from '../harness/kit.mjs'
import { serve, VECTOR } from '../harness/vectors.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

const collection = { id: '00000000-0000-4000-8000-000000000000', name: 'notes', configuration_json: {}, metadata: null }
const found = {
  ids: [['1']],
  documents: [['A span is one unit of work.']],
  distances: [[0.1]],
  metadatas: [[{ year: 2024 }]],
  embeddings: [[VECTOR]],
  uris: null,
  include: ['documents', 'distances', 'metadatas', 'embeddings'],
}

export function connect({ exports: { ChromaClient } }) {
  serve((path) => {
    if (path.endsWith('/query')) return { body: found }
    if (path.endsWith('/collections/missing')) return { status: 404, body: { error: 'NotFoundError', message: 'none' } }
    if (path.includes('/collections/')) return { body: collection }
    return { body: { user_id: '', tenant: 'default_tenant', databases: ['default_database'] } }
  })
  return new ChromaClient({ host: 'chroma.example', port: 80 })
}

const embeddingFunction = { name: 'none', generate: async (texts) => texts.map(() => VECTOR) }
const open = (client, name = 'notes') => client.getCollection({ name, embeddingFunction })

export const cases = {
  query: async ({ client }) => {
    const { ids, documents } = await (await open(client)).query({ queryEmbeddings: [VECTOR], nResults: 1 })
    return [ids, documents]
  },
  'query by text': async ({ client }) => {
    const { ids } = await (await open(client)).query({ queryTexts: ['What is a span?'], where: { year: 2024 } })
    return ids
  },
  'a collection that is missing': ({ client }) => errorOf(open(client, 'missing')),
}
