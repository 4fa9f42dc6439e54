import type { Attributes, AttributeValue } from '@opentelemetry/api'
import * as GEN_AI from '@svc/core/attributes/gen-ai'
import type { Message, Part } from '@svc/core/chat-content'
import { fromMetadataText, isFields } from '@svc/core/json'
import { own } from '@svc/core/own'
import type { ReadableSpan } from '../sdk.ts'

type Fields = Readonly<Record<string, unknown>>

/** Operations whose input and output are not messages. */
const PLAIN: Readonly<Record<string, readonly [input: string, output: string]>> = {
  execute_tool: [GEN_AI.TOOL_CALL_ARGUMENTS, GEN_AI.TOOL_CALL_RESULT],
  retrieval: [GEN_AI.RETRIEVAL_QUERY_TEXT, GEN_AI.RETRIEVAL_DOCUMENTS],
}

/** Converts the recorded input of a call to attributes of the GenAI conventions. */
export function inputAttributes(value: AttributeValue, { attributes }: ReadableSpan): Attributes {
  const plain = own(PLAIN, String(attributes[GEN_AI.OPERATION_NAME]))
  if (plain) return { [plain[0]]: value }
  const input = parsed(value)
  if (!isFields(input)) return { [GEN_AI.INPUT_MESSAGES]: JSON.stringify(asArray(input).map(textOfUser)) }
  const messages = asArray(input.messages).map(messageOf)
  const tools = asArray(input.tools).map(definitionOf)
  return {
    ...(messages.length > 0 ? { [GEN_AI.INPUT_MESSAGES]: JSON.stringify(messages) } : {}),
    ...(tools.length > 0 ? { [GEN_AI.TOOL_DEFINITIONS]: JSON.stringify(tools) } : {}),
  }
}

/** Converts the recorded output of a call to attributes of the GenAI conventions. */
export function outputAttributes(value: AttributeValue, { attributes }: ReadableSpan): Attributes {
  const plain = own(PLAIN, String(attributes[GEN_AI.OPERATION_NAME]))
  if (plain) return { [plain[1]]: value }
  const reasons = asArray(attributes[GEN_AI.RESPONSE_FINISH_REASONS])
  const messages = asArray(parsed(value)).map((message, index) => withReason(messageOf(message), reasons[index]))
  return { [GEN_AI.OUTPUT_MESSAGES]: JSON.stringify(messages) }
}

function withReason(message: Message, reason: unknown): Message {
  if (typeof reason !== 'string') return message
  return { ...message, finish_reason: FINISH_REASONS.get(reason) ?? reason }
}

/** Finish reasons of the AI SDK, with their names in the conventions. */
const FINISH_REASONS: ReadonlyMap<string, string> = new Map([
  ['content-filter', 'content_filter'],
  ['tool-calls', 'tool_call'],
])

/** Prompts without roles. */
function textOfUser(text: unknown): Message {
  return isFields(text) ? messageOf(text) : { role: 'user', parts: [{ type: 'text', content: text }] }
}

function messageOf(message: unknown): Message {
  if (!isFields(message)) return { role: 'assistant', parts: [{ type: 'text', content: message }] }
  const { role, name, content, thinking, tool_calls, tool_call_id } = message
  const who = { role: typeof role === 'string' ? role : 'user', ...(typeof name === 'string' ? { name } : {}) }
  if (role === 'tool') return { ...who, parts: [{ type: 'tool_call_response', id: tool_call_id, response: content }] }
  return {
    ...who,
    parts: [...asArray(thinking).map(thoughtOf), ...partsOf(content), ...asArray(tool_calls).map(callOf)],
  }
}

function thoughtOf(thought: unknown): Part {
  return { type: 'reasoning', content: isFields(thought) ? thought.content : thought }
}

/** Nested, or flat as LangChain has it. */
function callOf(call: unknown): Part {
  const { id, function: called, ...flat } = isFields(call) ? call : {}
  const { name, args, arguments: input = args } = isFields(called) ? called : (flat as Fields)
  return { type: 'tool_call', id, name, arguments: parsed(input) }
}

function partsOf(content: unknown): readonly Part[] {
  return asArray(content).flatMap((part) => (part === '' ? [] : [partOf(part)]))
}

function partOf(part: unknown): Part {
  if (typeof part === 'string' && part.startsWith('data:')) return mediaOf(undefined, part)
  if (!isFields(part)) return { type: 'text', content: part }
  const { type, text, image_url, input_audio } = part
  if (isFields(image_url)) return mediaOf('image', String(image_url.url))
  if (isFields(input_audio)) return mediaOf('audio', String(input_audio.data))
  return type === 'text' ? { type, content: text } : { ...part, type: String(type) }
}

function mediaOf(modality: string | undefined, uri: string): Part {
  const [, mime_type, content] = /^data:([^;,]+);base64,(.*)$/s.exec(uri) ?? []
  const kind = modality ?? /^(image|audio|video)\//.exec(mime_type ?? '')?.[1] ?? 'file'
  return content === undefined
    ? { type: 'uri', modality: kind, uri }
    : { type: 'blob', modality: kind, mime_type, content }
}

function definitionOf(tool: unknown): unknown {
  const { type, function: own } = isFields(tool) ? tool : {}
  return isFields(own) ? { type, ...own } : tool
}

function asArray(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return value === undefined || value === null ? [] : [value]
}

function parsed(value: unknown): unknown {
  return typeof value === 'string' ? fromMetadataText(value) : value
}
