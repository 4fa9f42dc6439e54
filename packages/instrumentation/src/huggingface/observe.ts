import { chat } from '../openai/chat.ts'
import type { Wrappers } from '../patch/patch-methods.ts'
import { type Client, methodOf } from '../patch/reader-method.ts'
import { observing as observingMethods } from '../patch/wrap-method.ts'
import { features, text } from './words.ts'

const client: Client = {
  provider: 'huggingface',
  address: (_, { endpointUrl = 'https://router.huggingface.co' }) => endpointUrl,
  secrets: (_, { accessToken }) => [accessToken],
  signal: ({ signal }) => signal,
}

/** What observes the tasks of `@huggingface/inference`. */
export const observing: Wrappers = observingMethods('@svc/instrumentation-huggingface', [
  methodOf(client, 'chatCompletion', chat, { streams: false }),
  methodOf(client, 'chatCompletionStream', chat, { streams: true, isLazy: true }),
  methodOf(client, 'textGeneration', text, { streams: false }),
  methodOf(client, 'textGenerationStream', text, { streams: true, isLazy: true }),
  methodOf(client, 'featureExtraction', features, { streams: false }),
])
