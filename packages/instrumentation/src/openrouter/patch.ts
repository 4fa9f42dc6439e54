import { asRecord, type Fields } from '../gen-ai/read.ts'
import { patchMethods } from '../patch/patch-methods.ts'
import { type ClientSpec, createMethodSpec } from '../patch/reader-method.ts'
import { wrapMethods } from '../patch/wrap-method.ts'
import { chat, embeddings } from './readers.ts'

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

const client: ClientSpec = {
  provider: 'openrouter',
  readAddress: ({ _baseURL }) => _baseURL,
  readSecrets: ({ _options }) => [asRecord(_options).apiKey],
  readSignal: ({ signal, fetchOptions }) => asRecord(fetchOptions).signal ?? signal,
  // Versions name the body differently; the oldest has none.
  readBody: ({ chatRequest, chatGenerationParams, requestBody, ...request }) =>
    asRecord(chatRequest ?? chatGenerationParams ?? requestBody ?? request),
}

/** Wraps the methods of `@openrouter/sdk`. */
const wrappers = wrapMethods('@svc/instrumentation-openrouter', [
  createMethodSpec(client, 'send', chat),
  createMethodSpec(client, 'generate', embeddings),
])
