import { isFields } from '@svc/core/json'
import { writeText } from '../exact-json.ts'
import type { Delta } from './answer.ts'

export type Json = Readonly<Record<string, unknown>>

/** The page asks a model this: messages and tools are as it shows them. */
export interface PlaygroundRequest {
  readonly model: string
  readonly messages: readonly Json[]
  readonly tools: readonly Json[]
  /** As the vendor calls them (`temperature`, `max_tokens`), or as they were recorded. */
  readonly parameters: Json
}

/** Says how a vendor is called, and how its answer is read. */
export interface Vendor {
  readonly baseUrl: string
  readonly path: string
  headers(apiKey: string): Readonly<Record<string, string>>
  /** The body of a request for a stream. */
  body(request: PlaygroundRequest): object
  /** Reads one event of a stream, or a whole answer of a service that does not stream. */
  read(event: Json): Delta
}

export const listIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isFields) : [])
/** The text of a property; nothing where it is none. */
export const textIn = <Name extends string>(name: Name, value: unknown) =>
  (typeof value === 'string' && value !== '' ? { [name]: value } : {}) as { readonly [K in Name]?: string }

/** A call of a tool in a message, flat or as OpenAI nests it. */
export function callOf(call: Json): { readonly id: string; readonly name: string; readonly arguments: string } {
  const { id, name, arguments: text } = { ...call, ...(isFields(call.function) ? call.function : {}) } as Json
  return {
    id: writeText(id ?? ''),
    name: writeText(name ?? ''),
    arguments: typeof text === 'string' ? text : JSON.stringify(text ?? {}),
  }
}

/** A tool definition in the format of OpenAI, of Anthropic, or flat. */
export function toolOf(tool: Json): { readonly name: string; readonly description: unknown; readonly schema: unknown } {
  const {
    name,
    description,
    parameters,
    input_schema: schema = parameters,
  } = (isFields(tool.function) ? tool.function : tool) as Json
  return { name: writeText(name ?? ''), description, schema: schema ?? { type: 'object', properties: {} } }
}
