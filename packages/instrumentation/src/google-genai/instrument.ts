import { GEN_AI } from '@svc/core/attributes'
import { Accumulator } from '../gen-ai/accumulator.ts'
import type { ResponseContent } from '../gen-ai/content.ts'
import { asArray, asNumber, asRecord, type Fields, isObject } from '../gen-ai/read.ts'
import { asEmbeddingInput } from '../gen-ai/text-input.ts'
import { batchWrappers } from '../jobs/methods.ts'
import type { MethodSpec, RequestInfo } from '../patch/method-spec.ts'
import { wrapMethods } from '../patch/wrap-method.ts'
import { contentStream } from './content-stream.ts'
import { baseUrlOf, describeClient } from './describe-client.ts'
import { readContentResponse, readParameters, readRequest } from './generate.ts'
import { interactionStream } from './interaction-stream.ts'
import {
  readInteractionParameters,
  readInteractionRequest,
  readInteractionResponse,
  readPartialInteraction,
} from './interactions.ts'
import { liveWrappers } from './live/instrument.ts'

const SCOPE = '@svc/instrumentation-google-genai'

/** The methods that `generateContent`, chats and each turn of automatic function calling call. */
const METHODS: readonly MethodSpec[] = [
  {
    name: 'generateContentInternal',
    operation: 'generate_content',
    describeRequest,
    readResponse: readContentResponse,
  },
  {
    name: 'generateContentStreamInternal',
    operation: 'generate_content',
    describeRequest: (models, args) => describeRequest(models, args, { [GEN_AI.REQUEST_STREAM]: true }),
    readResponse: readContentResponse,
    createAccumulator: () => new Accumulator(contentStream),
  },
  {
    name: 'embedContentInternal',
    operation: 'embeddings',
    describeRequest: describeEmbeddingRequest,
    readResponse: readEmbeddingResponse,
  },
  // The same method in the first versions.
  {
    name: 'embedContent',
    operation: 'embeddings',
    describeRequest: describeEmbeddingRequest,
    readResponse: readEmbeddingResponse,
  },
  // Images are never recorded, and there are no token counts.
  {
    name: 'generateImagesInternal',
    operation: 'generate_content',
    describeRequest: describeImageRequest,
    readResponse: () => ({}),
  },
  // A method of `client.interactions`.
  {
    name: 'create',
    operation: 'generate_content',
    describeRequest: describeInteractionRequest,
    readResponse: readInteractionResponse,
    readPartial: readPartialInteraction,
    createAccumulator: () => new Accumulator(interactionStream),
  },
]

/** Wraps the methods of `@google/genai`. */
export const wrappers = { ...wrapMethods(SCOPE, METHODS), ...liveWrappers }

/** Wraps the methods of `client.batches` and `client.files`. */
export const batches = batchWrappers({
  scope: SCOPE,
  client: { provider: 'gcp.gemini', readAddress: ({ apiClient }) => baseUrlOf(asRecord(apiClient)) },
  begin: ['createInternal', 'createEmbeddingsInternal'],
  ask: 'get',
  download: 'download',
  readId: ({ file }) => (isObject(file) ? file.name : file),
})

function describeRequest(models: Fields, [parameters]: readonly unknown[], more = {}): RequestInfo {
  const request = asRecord(parameters)
  const config = asRecord(request.config)
  return {
    ...describeClient(asRecord(models.apiClient), request, { ...readParameters(config), ...more }),
    readContent: () => readRequest(request),
    signal: config.abortSignal ?? null,
  }
}

function describeEmbeddingRequest(models: Fields, args: readonly unknown[]): RequestInfo {
  return { ...describeRequest(models, args), readContent: () => asEmbeddingInput(readRequest(asRecord(args[0]))) }
}

function describeInteractionRequest(interactions: Fields, [parameters]: readonly unknown[]): RequestInfo {
  const request = asRecord(parameters)
  const attributes = readInteractionParameters(request)
  return {
    ...describeClient(asRecord(interactions.parentClient), request, attributes),
    readContent: () => readInteractionRequest(request),
  }
}

function describeImageRequest(models: Fields, args: readonly unknown[]): RequestInfo {
  const { prompt, config } = asRecord(args[0])
  const count = asNumber(asRecord(config).numberOfImages)
  const more = {
    [GEN_AI.OUTPUT_TYPE]: 'image',
    ...(count === undefined || count === 1 ? {} : { [GEN_AI.REQUEST_CHOICE_COUNT]: count }),
  }
  return { ...describeRequest(models, args, more), readContent: () => readRequest({ contents: prompt }) }
}

/** Vectors are never recorded. Only Vertex AI reports token counts. */
function readEmbeddingResponse({ embeddings }: Fields): ResponseContent {
  const counts = asArray(embeddings).flatMap((one) => asNumber(asRecord(asRecord(one).statistics).tokenCount) ?? [])
  const input = counts.length > 0 ? counts.reduce((sum, count) => sum + count, 0) : undefined
  return { usage: { input, output: undefined } }
}
