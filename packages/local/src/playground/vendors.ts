import type { Fields } from './ask.ts'

/** What a vendor is sent, and how its answer is read. */
export interface Vendor {
  readonly baseUrl: string
  readonly path: string
  headers(apiKey: string): Readonly<Record<string, string>>
  body(fields: Fields): object
  /** The message of the model, as the page shows messages. */
  message(answer: Json): object
}

export type Json = Readonly<Record<string, unknown>>

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const listIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isJson) : [])

/** A call of a tool in a message, flat or as OpenAI nests it. */
export function callOf(call: Json): { readonly id: string; readonly name: string; readonly arguments: string } {
  const { id, name, arguments: text } = { ...call, ...(isJson(call.function) ? call.function : {}) } as Json
  return {
    id: String(id ?? ''),
    name: String(name ?? ''),
    arguments: typeof text === 'string' ? text : JSON.stringify(text ?? {}),
  }
}

/** A tool as whoever defined it wrote it: for OpenAI, for Anthropic, or flat. */
export function toolOf(tool: Json): { readonly name: string; readonly description: unknown; readonly schema: unknown } {
  const {
    name,
    description,
    parameters,
    input_schema: schema = parameters,
  } = (isJson(tool.function) ? tool.function : tool) as Json
  return { name: String(name ?? ''), description, schema: schema ?? { type: 'object', properties: {} } }
}
