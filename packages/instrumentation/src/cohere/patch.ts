import { asRecord, type Fields } from '../gen-ai/read.ts'
import { ownerOf, patchMethods, type Wrappers } from '../patch/patch-methods.ts'
import { createCohereMethod, createCohereWrappers } from './client.ts'
import { chat, embeddings } from './readers.ts'
import { wrappers as wrappersV1 } from './v1/instrument.ts'

/** @param exports of the file with the class, or of the package */
export function patchCohere(exports: unknown): boolean {
  return patchCohereClient(findClass(asRecord(exports)), ['chat', 'chatStream', 'embed'], wrappers)
}

/** Patches version 1 of the API: the methods of `CohereClient` itself. */
export function patchCohereV1(exports: unknown): boolean {
  const names = ['chat', 'chatStream', 'generate', 'generateStream', 'embed']
  return patchCohereClient(asRecord(exports).CohereClient, names, wrappersV1)
}

/** The package exports a client that creates an instance of the class. */
function findClass({ V2Client, V2, CohereClientV2 }: Fields): unknown {
  if (V2Client || V2 || typeof CohereClientV2 !== 'function') return V2Client ?? V2
  const { clientV2 } = asRecord(Reflect.construct(CohereClientV2, [{ token: 'none' }]))
  return asRecord(clientV2).constructor
}

/** In newer versions `chat` wraps the promise of `__chat`, which does the work and is patched. */
function patchCohereClient(client: unknown, names: readonly string[], wrappers: Wrappers): boolean {
  const innerNames = ownerOf(client, '__chat') ? names.map((name) => `__${name}`) : names
  return patchMethods(client, innerNames, wrappers)
}

/** Wraps the methods of version 2 of Cohere's API. */
const wrappers = createCohereWrappers([
  createCohereMethod('chat', chat, false),
  createCohereMethod('chatStream', chat, true),
  createCohereMethod('embed', embeddings, false),
])
