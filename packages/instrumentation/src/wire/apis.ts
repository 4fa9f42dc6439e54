import { messages } from '../anthropic/messages.ts'
import { asName, asNumber, asRecord, asString, type Fields, isObject } from '../gen-ai/read.ts'
import type { Reader } from '../gen-ai/reader.ts'
import { chat } from '../openai/chat.ts'
import { completions } from '../openai/completions.ts'
import { embeddings } from '../openai/embeddings.ts'
import { responses } from '../openai/responses.ts'

/** An API that models are asked by, as its requests look: whoever sends them, and to which host. */
export interface WireApi {
  /** The library whose calls they usually are, by its name in `SVC_INSTRUMENTATIONS`. */
  readonly library: string
  /** `gen_ai.provider.name`, unless the host implies another one. */
  readonly provider: string
  /** Matches the path, without the query. */
  readonly path: RegExp
  readonly reader: Reader
  /** Whether a body is one of its requests: an application may have a path of the same name. */
  readonly isRequest: (body: Fields) => boolean
  /** Returns the model, where the body does not name it. */
  readonly readModel?: (path: string) => string | undefined
}

const openai = { library: 'openai', provider: 'openai', readModel: readDeployment }

/** The APIs that are known. */
export const WIRE_APIS: readonly WireApi[] = [
  { ...openai, path: chat.path, reader: chat, isRequest: ({ messages }) => Array.isArray(messages) },
  { ...openai, path: /\/responses$/, reader: responses, isRequest: isResponsesRequest },
  { ...openai, path: completions.path, reader: completions, isRequest: ({ prompt }) => isText(prompt) },
  { ...openai, path: embeddings.path, reader: embeddings, isRequest: ({ input }) => isText(input) },
  {
    library: 'anthropic',
    provider: 'anthropic',
    path: messages.path,
    reader: messages,
    isRequest: ({ messages, max_tokens }) => Array.isArray(messages) && asNumber(max_tokens) !== undefined,
  },
]

/** Returns the API that a request to a path belongs to. @param path without its query */
export function findApi(path: string): WireApi | undefined {
  return WIRE_APIS.find((api) => api.path.test(path))
}

/** Returns the model that a request asks, by its body or by its path. */
export function readModel(api: WireApi, body: Fields, path: string): string | undefined {
  return asName(body.model) ?? api.readModel?.(path)
}

function isResponsesRequest({ model, input, prompt, instructions }: Fields): boolean {
  return (asString(model) !== undefined && isText(input ?? instructions)) || isObject(asRecord(prompt).id ?? prompt)
}

/** A text, or a list of whatever the API allows. */
function isText(value: unknown): boolean {
  return typeof value === 'string' || Array.isArray(value)
}

/** Azure has the model in the path: `/openai/deployments/<name>/chat/completions`. */
function readDeployment(path: string): string | undefined {
  return /\/deployments\/([^/]{1,200})\//.exec(path)?.[1]
}
