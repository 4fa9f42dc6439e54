import { createRequire } from 'node:module'
import { errorOf } from '../harness/kit.mjs'
import { serve, VECTOR } from '../harness/vectors.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

const points = [{ id: 1, version: 1, score: 0.9, payload: { text: 'A span is one unit of work.' }, vector: VECTOR }]

export function connect({ exports: { QdrantClient } }) {
  serve((path) => {
    if (path.includes('missing')) return { status: 404, body: { status: { error: 'Not found: Collection `missing`' } } }
    return { body: { result: path.endsWith('/query') ? { points } : points, status: 'ok', time: 0 } }
  })
  return new QdrantClient({ url: 'http://qdrant.example', checkCompatibility: false })
}

const filter = { must: [{ key: 'year', match: { value: 2024 } }] }

export const cases = {
  query: ({ client }) => client.query('notes', { query: VECTOR, limit: 1, filter, with_payload: true }),
  // Since then `query` does both.
  search: { before: '1.19', does: ({ client }) => client.search('notes', { vector: VECTOR, limit: 1, filter }) },
  recommend: {
    before: '1.19',
    does: ({ client }) => client.recommend('notes', { positive: [1], negative: [2], limit: 1 }),
  },
  'a collection that is missing': ({ client }) => errorOf(client.query('missing', { query: VECTOR })),
}
