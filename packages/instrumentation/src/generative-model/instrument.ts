import { GEN_AI } from '@svc/core/attributes'
import type { RequestContent, ResponseContent } from '../gen-ai/content.ts'
import { asArray, asName, asRecord, asString, type Fields, isObject } from '../gen-ai/read.ts'
import { serverAttributes } from '../gen-ai/server.ts'
import { asEmbeddingInput } from '../gen-ai/text-input.ts'
import { contentStream } from '../google-genai/content-stream.ts'
import { readContentResponse, readParameters, readRequest } from '../google-genai/generate.ts'
import type { MethodSpec, RequestInfo } from '../patch/method-spec.ts'
import type { Wrappers } from '../patch/patch-methods.ts'
import { wrapMethods } from '../patch/wrap-method.ts'
import { observePair } from './paired-stream.ts'

const GEMINI = 'https://generativelanguage.googleapis.com'
const operation = 'generate_content'

const METHODS: readonly MethodSpec[] = [
  { name: 'generateContent', operation, describeRequest: describeModelRequest, readResponse: readPairResponse },
  {
    name: 'generateContentStream',
    operation,
    describeRequest: withStream(describeModelRequest),
    readResponse: readPairResponse,
    ...followPair(false),
  },
  { name: 'sendMessage', operation, describeRequest: describeChatRequest, readResponse: readPairResponse },
  // A chat awaits each response itself, for its history.
  {
    name: 'sendMessageStream',
    operation,
    describeRequest: withStream(describeChatRequest),
    readResponse: readPairResponse,
    ...followPair(true),
  },
  {
    name: 'embedContent',
    operation: 'embeddings',
    describeRequest: describeEmbeddingRequest,
    readResponse: () => ({}),
  },
  {
    name: 'batchEmbedContents',
    operation: 'embeddings',
    describeRequest: describeEmbeddingRequest,
    readResponse: () => ({}),
  },
]

/** Wraps the methods of `@google/generative-ai`. */
export const wrappers: Wrappers = wrapMethods('@svc/instrumentation-generative-ai', METHODS)

/** Wraps the methods of `@google-cloud/vertexai`. */
export const vertexWrappers: Wrappers = wrapMethods('@svc/instrumentation-vertexai', METHODS)

function withStream(describe: MethodSpec['describeRequest']): MethodSpec['describeRequest'] {
  return (owner, args) => {
    const info = describe(owner, args)
    return { ...info, attributes: { ...info.attributes, [GEN_AI.REQUEST_STREAM]: true } }
  }
}

function followPair(isHandled: boolean): Pick<MethodSpec, 'followResult'> {
  return { followResult: (value, call) => observePair(value, call, contentStream, isHandled) }
}

function readPairResponse({ response }: Fields): ResponseContent {
  return readContentResponse(asRecord(response))
}

function describeModelRequest(model: Fields, [input, options]: readonly unknown[]): RequestInfo {
  const fields = asRecord(input)
  const request = Array.isArray(fields.contents) ? fields : { contents: [toContent(input)] }
  return describeContentRequest(model, { ...pickSettings(model), ...withoutMissing(request) }, options)
}

function describeChatRequest(chat: Fields, [message, options]: readonly unknown[]): RequestInfo {
  const history = asArray(chat._history ?? chat.historyInternal)
  const settings = { ...pickSettings(chat), ...withoutMissing(pickSettings(asRecord(chat.params))) }
  return describeContentRequest(chat, { ...settings, contents: [...history, toContent(message)] }, options)
}

function describeEmbeddingRequest(model: Fields, [input, options]: readonly unknown[]): RequestInfo {
  const request = asRecord(input)
  const texts = Array.isArray(request.requests)
    ? request.requests.map((one) => asRecord(one).content)
    : [request.content]
  const contents = isObject(input) && !Array.isArray(input) ? texts : [toContent(input)]
  return {
    ...describeContentRequest(model, { contents }, options),
    readContent: () => asEmbeddingInput(readRequest({ contents })),
  }
}

/** @param request with wire names */
function describeContentRequest(owner: Fields, request: Fields, options: unknown): RequestInfo {
  const { generationConfig, contents, systemInstruction, tools } = request
  const { signal } = asRecord(options)
  return {
    model: readModel(owner),
    attributes: { ...describeServer(owner, options), ...readParameters(asRecord(generationConfig)) },
    readContent: (): RequestContent => readRequest({ contents, config: { systemInstruction, tools } }),
    signal: signal ?? null,
    secrets: () => [owner.apiKey ?? owner._apiKey].flatMap((key) => asString(key) ?? []),
  }
}

function pickSettings({ generationConfig, systemInstruction, tools }: Fields): Fields {
  return { generationConfig, systemInstruction, tools }
}

function withoutMissing(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** Converts a text, or a list of texts and parts. */
function toContent(request: unknown): Fields {
  return { role: 'user', parts: asArray(request).map((part) => (typeof part === 'string' ? { text: part } : part)) }
}

/** `models/gemini-2.0-flash`, or in Vertex AI the path of a resource. */
function readModel({ model, resourcePath, publisherModelEndpoint }: Fields): string | undefined {
  return asName(model ?? resourcePath ?? publisherModelEndpoint)?.replace(/^(.*\/)?models\//, '')
}

function describeServer(owner: Fields, options: unknown) {
  const { location, apiEndpoint } = owner
  if (asString(location) !== undefined) {
    const region = location === 'global' ? '' : `${location}-`
    const host = asName(apiEndpoint) ?? `${region}aiplatform.googleapis.com`
    return serverAttributes(owner, 'gcp.vertex_ai', `https://${host}`)
  }
  const { baseUrl } = { ...asRecord(owner._requestOptions ?? owner.requestOptions), ...asRecord(options) }
  return serverAttributes(owner, 'gcp.gemini', asString(baseUrl) ?? GEMINI)
}
