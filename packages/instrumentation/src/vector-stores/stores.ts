import type { ResponseContent } from '../gen-ai/content.ts'
import { describeResponseFailure } from '../gen-ai/failure.ts'
import { asRecord, type Fields } from '../gen-ai/read.ts'

/** Describes the queries of a vector store. */
export interface VectorStore {
  /** Returns the index or collection. */
  readonly source: (owner: Fields, args: readonly unknown[]) => unknown
  /** Maps methods to functions that return the query from the arguments. */
  readonly queries: Readonly<Record<string, (args: readonly unknown[]) => unknown>>
  /** Returns the matches from a response. Default: the response itself. */
  readonly found?: (response: Fields) => unknown
  /** Returns the abort signal from the arguments. Omit it if the library accepts none. */
  readonly signal?: (args: readonly unknown[]) => unknown
  /** Returns the failure from a response, if the library does not throw. */
  readonly failure?: (response: Fields) => ResponseContent['failure']
}

const first = ([query]: readonly unknown[]): unknown => query
const second = ([, query]: readonly unknown[]): unknown => query

/** Returns a query with its options, without the abort signal. */
function withOptions(query: unknown, ...options: readonly unknown[]): unknown {
  const { abortSignal: _, ...rest } = Object.assign({}, ...options.map(asRecord)) as Fields
  return { query, ...rest }
}

/** Reads the failure of either client, gRPC or HTTP. */
function readMilvusFailure({ status, code, message }: Fields): ResponseContent['failure'] {
  const { error_code: type, reason } = asRecord(status)
  if (typeof type === 'string' && type !== 'Success') return describeResponseFailure({ code: type, message: reason })
  return typeof code === 'number' && code !== 0 && code !== 200 ? describeResponseFailure({ code, message }) : undefined
}

/** Vector stores, by their name in `SVC_INSTRUMENTATIONS`. */
export const STORES = {
  pinecone: {
    source: ({ target, _indexName }) => asRecord(target).indexName ?? _indexName ?? asRecord(target).index,
    queries: { query: first, searchRecords: first },
  },
  qdrant: {
    source: (_, [collection]) => collection,
    queries: { query: second, search: second, recommend: second, queryGroups: second, searchPointGroups: second },
  },
  chroma: {
    source: ({ name }) => name,
    queries: { query: first, search: first },
  },
  weaviate: {
    source: ({ name, check }) => name ?? asRecord(check).name,
    queries: {
      bm25: ([query, ...options]) => withOptions(query, ...options),
      hybrid: ([query, ...options]) => withOptions(query, ...options),
      nearText: ([query, ...options]) => withOptions(query, ...options),
      nearVector: ([vector, ...options]) => withOptions(vector, ...options),
      nearObject: ([id, ...options]) => withOptions(id, ...options),
      // Images and audio are not recorded.
      nearImage: ([, ...options]) => withOptions('[image]', ...options),
      nearMedia: ([, type, ...options]) => withOptions(`[${type}]`, ...options),
    },
    signal: (args) => args.map((options) => asRecord(options).abortSignal).find(Boolean),
  },
  milvus: {
    source: (_, [query]) => asRecord(query).collection_name ?? asRecord(query).collectionName,
    queries: { search: first, hybridSearch: first },
    found: ({ results, data }) => results ?? data,
    failure: readMilvusFailure,
    signal: ([, options]) => asRecord(asRecord(options).abortController).signal,
  },
} satisfies Readonly<Record<string, VectorStore>>

export type StoreName = keyof typeof STORES
