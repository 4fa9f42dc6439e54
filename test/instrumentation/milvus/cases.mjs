import { createRequire } from 'node:module'
import { errorOf } from '../harness/kit.mjs'
import { serve, VECTOR } from '../harness/vectors.mjs'
import { startMilvus } from './server.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

const address = await startMilvus()

export function connect({ exports }) {
  const { MilvusClient, HttpClient } = exports.default ?? exports
  serve((path) => {
    if (path.endsWith('/hybrid_search')) return { body: { code: 1100, message: 'no such collection' } }
    return { body: { code: 0, data: [{ id: 1, distance: 0.5, text: 'A span is one unit of work.' }] } }
  })
  return {
    grpc: () => new MilvusClient({ address, maxRetries: 0 }),
    http: (fetch = globalThis.fetch) =>
      new HttpClient({ endpoint: 'http://milvus.example', token: 'not-to-be-seen', fetch }),
  }
}

const query = { collection_name: 'notes', data: VECTOR, limit: 1, filter: 'year == 2024', output_fields: ['text'] }
const params = () => ({
  collectionName: 'notes',
  data: [VECTOR],
  limit: 1,
  filter: 'year == 2024',
  outputFields: ['text'],
})

/** Answers never, but to who gives up. */
const hanging = (_, { signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

export const cases = {
  search: async ({ client }) => (await client.grpc().search(query)).results,
  'another name of it': async ({ client }) => (await client.grpc().hybridSearch(query)).results,
  'a collection that is missing': async ({ client }) =>
    (await client.grpc().search({ ...query, collection_name: 'missing' })).status,
  'an argument that is refused': {
    since: 3,
    does: ({ client }) => errorOf(client.grpc().search({ collection_name: 'notes' })),
  },
  'search over HTTP': ({ client }) => client.http().search(params()),
  'an error over HTTP': {
    since: 3,
    does: ({ client }) => client.http().hybridSearch({ collectionName: 'missing', search: [] }),
  },
  'aborted over HTTP': ({ client }) => {
    const abortController = new AbortController()
    const answer = client.http(hanging).search(params(), { abortController })
    setImmediate(() => abortController.abort())
    return errorOf(answer)
  },
  'timeout over HTTP': ({ client }) => errorOf(client.http(hanging).search(params(), { timeout: 20 })),
  'no server': ({ client }) => errorOf(client.http(() => Promise.reject(new Error('nobody there'))).search(params())),
}
