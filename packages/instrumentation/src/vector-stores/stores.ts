import { asRecord, type Fields } from '../gen-ai/read.ts'

/** How the queries of a vector store read. */
export interface VectorStore {
  /** The index or the collection that is asked. */
  readonly source: (owner: Fields, args: readonly unknown[]) => unknown
  /** Method → where the query is among its arguments. */
  readonly queries: Readonly<Record<string, (args: readonly unknown[]) => unknown>>
}

const first = ([query]: readonly unknown[]): unknown => query
const second = ([, query]: readonly unknown[]): unknown => query

/** The vector stores by their name in `SVC_INSTRUMENTATIONS`. */
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
} satisfies Readonly<Record<string, VectorStore>>

export type StoreName = keyof typeof STORES
