import { asRecord, defined, type Fields } from '../gen-ai/read.ts'
import { ownerOf, patchMethods } from '../patch/patch-methods.ts'
import { wrapMethods } from '../patch/wrap-method.ts'
import { batches, METHODS } from './calls.ts'

/** @param exports of a file with one of the classes, or of the package */
export function patchMistral(exports: unknown): boolean {
  const { Agents, BatchJobs, Chat, Embeddings, Files, Fim, Jobs, MistralJobs } = findClasses(asRecord(exports))
  const chats = patchMethods(Chat, ['complete', 'stream', 'parse', 'parseStream'], wrappers)
  const agents = patchMethods(Agents, ['complete', 'stream'], wrappers)
  const embeds = patchMethods(Embeddings, ['create'], wrappers)
  // `Fim` has methods of the same names with other requests.
  const { fimComplete: complete, fimStream: stream } = wrappers
  const fim = patchMethods(Fim, ['complete', 'stream'], defined({ complete, stream }))
  const { create, get, download } = batches
  for (const jobs of [Jobs, MistralJobs, BatchJobs]) {
    // The first versions have other jobs, of fine-tuning, under the first name.
    if (!ownerOf(jobs, 'start')) patchMethods(jobs, ['create', 'get'], defined({ create, get }))
  }
  patchMethods(Files, ['download'], defined({ download }))
  return chats || agents || embeds || fim
}

/** The package exports a client that creates instances of the classes. */
function findClasses(exports: Fields): Fields {
  if (typeof exports.Mistral !== 'function') return exports
  const { agents, batch, chat, files, fim, embeddings } = asRecord(
    Reflect.construct(exports.Mistral, [{ apiKey: 'none' }]),
  )
  return {
    Agents: asRecord(agents).constructor,
    Chat: asRecord(chat).constructor,
    Fim: asRecord(fim).constructor,
    Embeddings: asRecord(embeddings).constructor,
    BatchJobs: asRecord(asRecord(batch).jobs).constructor,
    Files: asRecord(files).constructor,
  }
}

/** Wraps the methods of `@mistralai/mistralai`. */
const wrappers = wrapMethods('@svc/instrumentation-mistral', METHODS)
