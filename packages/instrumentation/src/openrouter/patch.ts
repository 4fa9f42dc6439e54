import { asRecord, type Fields } from '../gen-ai/read.ts'
import { type Load, patchMethods } from '../patch/patch-methods.ts'

/** @param exports of a file with one of the classes, or of the package */
export function patchOpenRouter(exports: unknown, load: Load): boolean {
  const { Chat, Embeddings } = classesIn(asRecord(exports))
  const observing = () => load().observing
  return [patchMethods(Chat, ['send'], observing), patchMethods(Embeddings, ['generate'], observing)].includes(true)
}

/** The package exports a class that makes those we look for. */
function classesIn({ Chat, Embeddings, OpenRouter }: Fields): Fields {
  if (typeof OpenRouter !== 'function') return { Chat, Embeddings }
  const { chat, embeddings } = asRecord(Reflect.construct(OpenRouter, [{ apiKey: 'none' }]))
  return { Chat: asRecord(chat).constructor, Embeddings: asRecord(embeddings).constructor }
}
