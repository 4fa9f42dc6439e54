import { messages } from '../anthropic/messages.ts'
import { converse } from '../bedrock/converse.ts'
import { asInvokeOutput, findInvokeReader } from '../bedrock/invoke.ts'
import { chat as cohereChat, embeddings as cohereEmbeddings } from '../cohere/readers.ts'
import { asName, asNumber, asRecord, asString, type Fields, isObject } from '../gen-ai/read.ts'
import type { Reader } from '../gen-ai/reader.ts'
import { embedContent, generateContent } from '../google-genai/rest.ts'
import { generate as ollamaGenerate } from '../ollama/instrument.ts'
import { chat as ollamaChat, embed as ollamaEmbed } from '../ollama/readers.ts'
import { chat } from '../openai/chat.ts'
import { completions } from '../openai/completions.ts'
import { embeddings } from '../openai/embeddings.ts'
import { images } from '../openai/images.ts'
import { responses } from '../openai/responses.ts'
import { speech } from '../openai/speech.ts'
import { transcriptions } from '../openai/transcriptions.ts'

/** Returns a header of a response. */
export type ReadHeader = (name: string) => string | undefined

/** An API that models are asked by, as its requests look: whoever sends them, and to which host. */
export interface WireApi {
  /** The library whose calls they usually are, by its name in `SVC_INSTRUMENTATIONS`. */
  readonly library: string
  /** `gen_ai.provider.name`, unless the host implies another one. */
  readonly provider: string
  /** Matches the path, without the query. */
  readonly path: RegExp
  readonly reader: Reader
  /** Returns the reader, where it depends on the model and the body. Default: `reader`. */
  readonly findReader?: (model: string, body: Fields) => Reader | undefined
  /** Whether a body is one of its requests: an application may have a path of the same name. */
  readonly isRequest: (body: Fields, path: string) => boolean
  /** Adds to a whole response what its headers say. */
  readonly withHeaders?: (response: Fields, header: ReadHeader) => Fields
  /** Returns the model, where the body does not name it. */
  readonly readModel?: (path: string) => string | undefined
  /** Matches the path of a request for a stream, where the body does not say so. */
  readonly streamPath?: RegExp
}

const openai = { library: 'openai', provider: 'openai', readModel: readDeployment }

const gemini = {
  library: 'google-genai',
  provider: 'gcp.gemini',
  readModel: (path: string) => /\/models\/([^/:]{1,200}):/.exec(path)?.[1],
}
const geminiContent: WireApi = {
  ...gemini,
  path: /:(?:g|streamG)enerateContent$/,
  streamPath: /:stream/,
  reader: generateContent,
  isRequest: ({ contents }) => isObject(contents),
}
const ollama = { library: 'ollama', provider: 'ollama' }
const cohere = { library: 'cohere', provider: 'cohere' }
const bedrock = {
  library: 'bedrock',
  provider: 'aws.bedrock',
  streamPath: /-stream$/,
  readModel: (path: string) => decoded(/\/model\/([^/]{1,500})\//.exec(path)?.[1]),
}

/** The APIs that are known. */
const WIRE_APIS: readonly WireApi[] = [
  { ...openai, path: chat.path, reader: chat, isRequest: ({ messages }) => Array.isArray(messages) },
  { ...openai, path: /\/responses$/, reader: responses, isRequest: isResponsesRequest },
  { ...openai, path: completions.path, reader: completions, isRequest: ({ prompt }) => isText(prompt) },
  { ...openai, path: embeddings.path, reader: embeddings, isRequest: ({ input }) => isText(input) },
  { ...openai, path: images.path, reader: images, isRequest: ({ prompt }) => isText(prompt) },
  { ...openai, path: speech.path, reader: speech, isRequest: isAsked(({ input }) => input) },
  { ...openai, path: transcriptions.path, reader: transcriptions, isRequest: isAsked(({ model }) => model) },
  {
    library: 'anthropic',
    provider: 'anthropic',
    path: messages.path,
    reader: messages,
    isRequest: ({ messages, max_tokens }) => Array.isArray(messages) && asNumber(max_tokens) !== undefined,
  },
  {
    ...geminiContent,
    provider: 'gcp.vertex_ai',
    path: /\/publishers\/[^/]+\/models\/[^/]+:(?:g|streamG)enerateContent$/,
  },
  geminiContent,
  {
    ...gemini,
    path: /:(?:embedContent|batchEmbedContents)$/,
    reader: embedContent,
    isRequest: ({ content, requests }) => isObject(content ?? requests),
  },
  { ...ollama, path: /\/api\/chat$/, reader: ollamaChat, isRequest: isAsked(({ messages }) => messages) },
  { ...ollama, path: /\/api\/generate$/, reader: ollamaGenerate, isRequest: isAsked(({ prompt }) => prompt) },
  { ...ollama, path: /\/api\/embed$/, reader: ollamaEmbed, isRequest: isAsked(({ input }) => input) },
  { ...cohere, path: /\/v2\/chat$/, reader: cohereChat, isRequest: isAsked(({ messages }) => messages) },
  {
    ...cohere,
    path: /\/v2\/embed$/,
    reader: cohereEmbeddings,
    isRequest: isAsked(({ texts, inputs }) => texts ?? inputs),
  },
  {
    ...bedrock,
    path: /\/model\/[^/]{1,500}\/converse(?:-stream)?$/,
    reader: converse,
    isRequest: ({ messages }) => Array.isArray(messages),
  },
  {
    ...bedrock,
    path: /\/model\/[^/]{1,500}\/invoke(?:-with-response-stream)?$/,
    // Of most families.
    reader: converse,
    findReader: findInvokeReader,
    isRequest: (body, path) => findInvokeReader(readModel(bedrock, body, path) ?? '', body) !== undefined,
    withHeaders: asInvokeOutput,
  },
]

/** Returns the API that a request to a path belongs to. @param path without its query */
export function findApi(path: string): WireApi | undefined {
  return WIRE_APIS.find((api) => api.path.test(path))
}

/** Returns the model that a request asks, by its body or by its path. */
export function readModel(api: Pick<WireApi, 'readModel'>, body: Fields, path: string): string | undefined {
  return asName(body.model) ?? api.readModel?.(path)
}

/** Returns the provider that a path alone implies: that of Azure, also behind gateways. */
export function providerIn(path: string): string | undefined {
  return path.includes('/openai/deployments/') ? 'azure.ai.openai' : undefined
}

function isResponsesRequest({ model, input, prompt, instructions }: Fields): boolean {
  return (asString(model) !== undefined && isText(input ?? instructions)) || isObject(asRecord(prompt).id ?? prompt)
}

/** Such a path is also one of applications: their requests name no model. */
function isAsked(content: (body: Fields) => unknown): WireApi['isRequest'] {
  return (body) => asString(body.model) !== undefined && isText(content(body))
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text && decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A text, or a list of whatever the API allows. */
function isText(value: unknown): boolean {
  return typeof value === 'string' || Array.isArray(value)
}

/** Azure has the model in the path: `/openai/deployments/<name>/chat/completions`. */
function readDeployment(path: string): string | undefined {
  return /\/deployments\/([^/]{1,200})\//.exec(path)?.[1]
}
