import { asRecord, exportOf, isMethod, isObject, type Method } from '../gen-ai/read.ts'
import { patchMethods, type Wrappers } from '../patch/patch-methods.ts'
import { getPrototype, replaceMethod } from '../patch/replace-method.ts'
import { tapPromise } from '../patch/tap-promise.ts'

const GETTERS = ['getCollection', 'createCollection', 'getOrCreateCollection']

/** Chroma's collection class is not exported: it is patched when a client returns the first collection. */
export function patchChroma(exports: unknown, wrappers: Wrappers): boolean {
  const client = getPrototype(exportOf(exports, 'ChromaClient'))
  const onCollection = {
    value: (collection: unknown) => {
      if (isObject(collection)) patchMethods(collection.constructor, Object.keys(wrappers), wrappers)
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
export function patchWeaviate(exports: unknown, wrappers: Wrappers): boolean {
  const { default: use } = asRecord(exports)
  return isMethod(use) && patchMethods(asRecord(use({}, '')).constructor, Object.keys(wrappers), wrappers)
}

/** Patches Milvus's clients for gRPC and HTTP. */
export function patchMilvus(exports: unknown, wrappers: Wrappers): boolean {
  const { GRPCClient, HttpClient } = asRecord(exports)
  return [GRPCClient, HttpClient].map((client) => patchMethods(client, Object.keys(wrappers), wrappers)).includes(true)
}
