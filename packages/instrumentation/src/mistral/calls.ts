import type { RequestContent } from '../gen-ai/content.ts'
import { textPart } from '../gen-ai/parts.ts'
import { asName, asRecord, type Fields } from '../gen-ai/read.ts'
import { type Reader, translateReader } from '../gen-ai/reader.ts'
import { batchWrappers } from '../jobs/methods.ts'
import { chat as openaiChat } from '../openai/chat.ts'
import { embeddings as openaiEmbeddings } from '../openai/embeddings.ts'
import type { MethodSpec } from '../patch/method-spec.ts'
import { type ClientSpec, createMethodSpec } from '../patch/reader-method.ts'
import { metadataAttributes } from '../record/metadata.ts'
import { createEventTranslator, toOpenAiRequest, toOpenAiResponse, toOpenAiUsage } from './translate.ts'

const chat = translateReader(openaiChat, {
  translateRequest: toOpenAiRequest,
  readExtraParameters: ({ agentId }) => metadataAttributes({ agent_id: asName(agentId) }),
  translateResponse: toOpenAiResponse,
  createEventTranslator,
})

/** Fill-in-the-middle: the text before is the prompt, the text after is optional. */
const fim: Reader = { ...chat, name: 'text_completion', readRequest: readFimRequest }

const embeddings = translateReader(openaiEmbeddings, {
  translateRequest: ({ inputs, outputDimension }) => ({ input: inputs, dimensions: outputDimension }),
  translateResponse: ({ model, usage }) => ({ model, usage: toOpenAiUsage(usage) }),
})

const client: ClientSpec = {
  provider: 'mistral_ai',
  readAddress: ({ _baseURL, baseURL }) => _baseURL ?? baseURL,
  readSecrets: ({ _options }) => [asRecord(_options).apiKey],
  readSignal: ({ fetchOptions }) => asRecord(fetchOptions).signal,
}

/** The methods of `client.chat`, `client.agents` and `client.embeddings`, and, prefixed with `fim`, of `client.fim`. */
export const METHODS: readonly MethodSpec[] = [
  createMethodSpec(client, 'complete', chat, { streams: false }),
  createMethodSpec(client, 'parse', chat, { streams: false }),
  createMethodSpec(client, 'stream', chat, { streams: true }),
  createMethodSpec(client, 'parseStream', chat, { streams: true }),
  createMethodSpec(client, 'fimComplete', fim, { streams: false }),
  createMethodSpec(client, 'fimStream', fim, { streams: true }),
  createMethodSpec(client, 'create', embeddings, { streams: false }),
]

/** The methods of `client.batch.jobs` and `client.files`. */
export const batches = batchWrappers({
  scope: '@svc/instrumentation-mistral',
  client,
  begin: ['create'],
  ask: 'get',
  download: 'download',
  readId: ({ fileId }) => fileId,
})

function readFimRequest({ prompt, suffix }: Fields): RequestContent {
  const after = suffix ? [{ type: 'suffix', content: suffix }] : []
  return { messages: [{ role: 'user', parts: [textPart(prompt), ...after] }] }
}
