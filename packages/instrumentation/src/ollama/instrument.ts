import type { RequestContent } from '../gen-ai/content.ts'
import { textPart } from '../gen-ai/parts.ts'
import { asRecord, type Fields } from '../gen-ai/read.ts'
import type { Reader } from '../gen-ai/reader.ts'
import { asEmbeddingInput } from '../gen-ai/text-input.ts'
import { type ClientSpec, createMethodSpec } from '../patch/reader-method.ts'
import { wrapMethods } from '../patch/wrap-method.ts'
import { chat, embed, toImageParts } from './readers.ts'

/** `generate` */
export const generate: Reader = { ...chat, name: 'text_completion', readRequest: readGenerateRequest }

/** The older method, without token counts. */
const embeddings: Reader = {
  ...embed,
  readRequest: (request) => asEmbeddingInput(readGenerateRequest(request)),
  readResponse: () => ({}),
}

const client: ClientSpec = { provider: 'ollama', readAddress: ({ config }) => asRecord(config).host }

export const wrappers = wrapMethods('@svc/instrumentation-ollama', [
  createMethodSpec(client, 'chat', chat),
  createMethodSpec(client, 'generate', generate),
  createMethodSpec(client, 'embed', embed, { streams: false }),
  createMethodSpec(client, 'embeddings', embeddings, { streams: false }),
])

function readGenerateRequest({ prompt, suffix, system, images }: Fields): RequestContent {
  const after = suffix ? [{ type: 'suffix', content: suffix }] : []
  return {
    ...(system ? { instructions: [textPart(system)] } : {}),
    messages: [{ role: 'user', parts: [textPart(prompt), ...after, ...toImageParts(images)] }],
  }
}
