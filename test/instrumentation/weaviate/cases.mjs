import { createRequire } from 'node:module'
import { errorOf } from '../harness/kit.mjs'
import { VECTOR } from '../harness/vectors.mjs'
import { startWeaviate } from './server.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

const { grpcPort, httpPort } = await startWeaviate()
const QUESTION = 'What is a span?'

export function connect({ exports }) {
  const weaviate = exports.default?.default ?? exports.default ?? exports
  const host = '127.0.0.1'
  return (name = 'Notes') =>
    weaviate
      .connectToLocal({ host, port: httpPort, grpcPort, skipInitChecks: true })
      .then((client) => client.collections.get(name))
}

const query = async (client, method, ...args) => {
  const { objects } = await (await client()).query[method](...args)
  return objects.map(({ uuid, properties }) => [uuid, properties])
}

/** What an application can tell of an error. */
const failureOf = async (promise) => {
  const { class: name, message } = await errorOf(promise)
  return [name, message]
}

export const cases = {
  'by text': async ({ client }) => {
    const collection = await client()
    const filters = collection.filter.byProperty('year').equal(2024)
    const { objects } = await collection.query.nearText(QUESTION, { limit: 1, filters, returnMetadata: ['distance'] })
    return objects.map(({ uuid, properties, metadata }) => [uuid, properties, metadata])
  },
  'by vector': ({ client }) => query(client, 'nearVector', VECTOR, { limit: 1, includeVector: true }),
  'by an object': ({ client }) => query(client, 'nearObject', '00000000-0000-4000-8000-000000000001', { limit: 1 }),
  'by a picture': {
    since: 3.14,
    does: ({ client }) => query(client, 'nearImage', Buffer.from('a picture'), { limit: 1 }),
  },
  hybrid: ({ client }) => query(client, 'hybrid', QUESTION, { limit: 1, alpha: 0.5 }),
  'by words': ({ client }) => query(client, 'bm25', QUESTION, { limit: 1 }),
  'fetched, not searched': ({ client }) => query(client, 'fetchObjects', { limit: 1 }),
  'a collection that is missing': async ({ client }) => {
    const collection = await client('Missing')
    return errorOf(collection.query.bm25(QUESTION))
  },
  // Older versions take no signal.
  'aborted before the answer': {
    since: 3.14,
    does: async ({ client }) => {
      const controller = new AbortController()
      const collection = await client('Hangs')
      const answer = collection.query.bm25(QUESTION, { limit: 1 }, { abortSignal: controller.signal })
      setTimeout(() => controller.abort(), 20)
      return failureOf(answer)
    },
  },
}
