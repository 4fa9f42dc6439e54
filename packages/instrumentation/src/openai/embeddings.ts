import type { StreamAccumulator } from '../gen-ai/accumulator.ts'
import type { ResponseContent } from '../gen-ai/content.ts'
import { asName, type Fields, isObject } from '../gen-ai/read.ts'
import { asEmbeddingInput, readTextInput } from '../gen-ai/text-input.ts'
import type { ModelEndpoint } from '../stainless/endpoint.ts'
import { readRequestParameters } from './parameters.ts'
import { readOpenAiUsage, readPricing } from './usage.ts'

/** `embeddings.create`. Vectors are never recorded. */
export const embeddings: ModelEndpoint = {
  name: 'embeddings',
  path: /\/embeddings$/,
  readParameters: readRequestParameters,
  readRequest: ({ input }) => asEmbeddingInput(readTextInput(input)),
  readResponse,
  createAccumulator: () => NO_STREAM,
}

function readResponse({ id, model, usage, providerMetadata }: Fields): ResponseContent {
  // Voyage has the total only, which is all input.
  const counts = isObject(usage) ? { prompt_tokens: usage.total_tokens, ...usage } : undefined
  return {
    id: asName(id),
    model: asName(model),
    usage: readOpenAiUsage(counts),
    ...readPricing(undefined, usage, providerMetadata),
  }
}

/** For responses that are not streamed, or whose streams contain no content. */
export const NO_STREAM: StreamAccumulator = { add: () => false, isComplete: true, response: {} }
