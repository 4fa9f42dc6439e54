import { asRecord, defined, type Fields } from '../gen-ai/read.ts'
import { patchMethods } from '../patch/patch-methods.ts'
import { wrapMethods } from '../patch/wrap-method.ts'
import { METHODS } from './calls.ts'

/** @param exports of a file with one of the classes, or of the package */
export function patchMistral(exports: unknown): boolean {
  const { Agents, Chat, Embeddings, Fim } = findClasses(asRecord(exports))
  const chats = patchMethods(Chat, ['complete', 'stream', 'parse', 'parseStream'], wrappers)
  const agents = patchMethods(Agents, ['complete', 'stream'], wrappers)
  const embeds = patchMethods(Embeddings, ['create'], wrappers)
  // `Fim` has methods of the same names with other requests.
  const { fimComplete: complete, fimStream: stream } = wrappers
  const fim = patchMethods(Fim, ['complete', 'stream'], defined({ complete, stream }))
  return chats || agents || embeds || fim
}

/** The package exports a client that creates instances of the classes. */
function findClasses(exports: Fields): Fields {
  if (typeof exports.Mistral !== 'function') return exports
  const { agents, chat, fim, embeddings } = asRecord(Reflect.construct(exports.Mistral, [{ apiKey: 'none' }]))
  return {
    Agents: asRecord(agents).constructor,
    Chat: asRecord(chat).constructor,
    Fim: asRecord(fim).constructor,
    Embeddings: asRecord(embeddings).constructor,
  }
}

/** Wraps the methods of `@mistralai/mistralai`. */
const wrappers = wrapMethods('@svc/instrumentation-mistral', METHODS)
