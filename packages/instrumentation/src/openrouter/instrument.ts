import { asRecord } from '../gen-ai/read.ts'
import { type Client, methodOf } from '../patch/reader-method.ts'
import { observing as observingMethods } from '../patch/wrap-method.ts'
import { chat, embeddings } from './words.ts'

const client: Client = {
  provider: 'openrouter',
  address: ({ _baseURL }) => _baseURL,
  secrets: ({ _options }) => [asRecord(_options).apiKey],
  signal: ({ signal, fetchOptions }) => asRecord(fetchOptions).signal ?? signal,
  // Each version has another name for the body, and the oldest none.
  body: ({ chatRequest, chatGenerationParams, requestBody, ...asked }) =>
    asRecord(chatRequest ?? chatGenerationParams ?? requestBody ?? asked),
}

/** What observes the calls of `@openrouter/sdk`. */
export const observing = observingMethods('@svc/instrumentation-openrouter', [
  methodOf(client, 'send', chat),
  methodOf(client, 'generate', embeddings),
])
