import { asRecord, type Fields } from '../gen-ai/read.ts'
import { patchMethods } from '../patch/patch-methods.ts'
import { wrappers } from './instrument.ts'

/** @param exports of a file with one of the classes, or of the package */
export function patchOpenRouter(exports: unknown): boolean {
  const { Chat, Embeddings } = findClasses(asRecord(exports))
  return [patchMethods(Chat, ['send'], wrappers), patchMethods(Embeddings, ['generate'], wrappers)].includes(true)
}

/** The package exports a client that creates instances of the classes. */
function findClasses({ Chat, Embeddings, OpenRouter }: Fields): Fields {
  if (typeof OpenRouter !== 'function') return { Chat, Embeddings }
  const { chat, embeddings } = asRecord(Reflect.construct(OpenRouter, [{ apiKey: 'none' }]))
  return { Chat: asRecord(chat).constructor, Embeddings: asRecord(embeddings).constructor }
}
