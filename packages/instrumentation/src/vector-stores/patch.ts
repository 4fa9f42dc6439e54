import { asRecord, exportOf, isMethod, isObject, type Method } from '../gen-ai/read.ts'
import { patchClass } from '../patch/patch-methods.ts'
import { getPrototype, replaceMethod } from '../patch/replace-method.ts'
import { tapPromise } from '../patch/tap-promise.ts'
import { createStoreWrappers } from './instrument.ts'

const GETTERS = ['getCollection', 'createCollection', 'getOrCreateCollection']

/** Chroma's collection class is not exported: it is patched when a client returns the first collection. */
export function patchChroma(exports: unknown): boolean {
  const wrappers = createStoreWrappers('chroma')
  const client = getPrototype(exportOf(exports, 'ChromaClient'))
  const onCollection = {
    value: (collection: unknown) => {
      if (isObject(collection)) patchClass(collection.constructor, wrappers)
    },
    error() {},
  }
  const wrapGetter = (original: Method): Method =>
    function (...args) {
      return tapPromise(original.apply(this, args), onCollection)
    }
  return GETTERS.map((name) => replaceMethod(client, name, wrapGetter)).includes(true)
}

/** Weaviate's query class is not exported; the function that creates an instance is. */
export function patchWeaviate(exports: unknown): boolean {
  const { default: use } = asRecord(exports)
  return isMethod(use) && patchClass(asRecord(use({}, '')).constructor, createStoreWrappers('weaviate'))
}

/** Patches Milvus's clients for gRPC and HTTP. */
export function patchMilvus(exports: unknown): boolean {
  const wrappers = createStoreWrappers('milvus')
  const { GRPCClient, HttpClient } = asRecord(exports)
  return [GRPCClient, HttpClient].map((client) => patchClass(client, wrappers)).includes(true)
}

export const patchPinecone = (exports: unknown): boolean =>
  patchClass(exportOf(exports, 'Index'), createStoreWrappers('pinecone'))

export const patchQdrant = (exports: unknown): boolean =>
  patchClass(exportOf(exports, 'QdrantClient'), createStoreWrappers('qdrant'))
