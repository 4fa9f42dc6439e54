import type { Message, Part } from '@svc/core/chat-content'
import { isFields } from '@svc/core/json'
import { own } from '@svc/core/own'

type Fields = Readonly<Record<string, unknown>>

/**
 * Returns a message of the GenAI conventions, or one that stands in their attributes in the form of a vendor: Gemini's
 * parts, OpenAI's and Anthropic's `content`. Undefined for anything else.
 */
export function foreignMessage(value: unknown): Message | undefined {
  if (!isFields(value) || typeof value.role !== 'string') return undefined
  const { role, name, finish_reason, parts, content } = value
  const given = parts ?? content ?? []
  const read = (Array.isArray(given) ? given : [given]).map(partOf)
  const isAnswer = role === 'tool' && value.tool_call_id !== undefined
  const answered = isAnswer
    ? [{ type: 'tool_call_response', id: value.tool_call_id, name, response: content }]
    : [...read, ...callsOf(value.tool_calls)]
  if (!answered.every((part) => part !== undefined)) return undefined
  return {
    role: own(ROLES, role) ?? role,
    parts: answered,
    ...(typeof name === 'string' && !isAnswer && { name }),
    ...(typeof finish_reason === 'string' && { finish_reason }),
  }
}

const ROLES: Readonly<Record<string, string>> = { model: 'assistant', function: 'tool' }

function partOf(part: unknown): Part | undefined {
  if (typeof part === 'string') return { type: 'text', content: part }
  if (!isFields(part)) return undefined
  const { type, text } = part
  if (typeof type !== 'string') return ofGemini(part)
  if (TEXTS.has(type) && part.content === undefined) return { type: 'text', content: text }
  if (type === 'thinking' && part.content === undefined) return { type: 'reasoning', content: part.thinking }
  if (type === 'tool_use') return { type: 'tool_call', id: part.id, name: part.name, arguments: part.input }
  if (type === 'tool_result') return { type: 'tool_call_response', id: part.tool_use_id, response: part.content }
  if (type === 'image_url')
    return { type: 'uri', modality: 'image', uri: isFields(part.image_url) ? part.image_url.url : part.image_url }
  return part as unknown as Part
}

const TEXTS: ReadonlySet<string> = new Set(['text', 'input_text', 'output_text'])

/** In the names of Gemini's API or of its libraries. */
function ofGemini(part: Fields): Part | undefined {
  const { text, thought, function_call, functionCall = function_call } = part
  const { function_response, functionResponse = function_response } = part
  const { inline_data, inlineData = inline_data, file_data, fileData = file_data } = part
  if (typeof text === 'string') return { type: thought === true ? 'reasoning' : 'text', content: text }
  if (isFields(functionCall)) {
    return { type: 'tool_call', id: functionCall.id, name: functionCall.name, arguments: functionCall.args }
  }
  if (isFields(functionResponse)) {
    const { id, name, response } = functionResponse
    return { type: 'tool_call_response', id, name, response }
  }
  if (isFields(inlineData)) {
    const mime_type = inlineData.mimeType ?? inlineData.mime_type
    return { type: 'blob', mime_type, modality: String(mime_type).split('/')[0], content: inlineData.data }
  }
  if (!isFields(fileData)) return undefined
  const mime = fileData.mimeType ?? fileData.mime_type
  return { type: 'uri', modality: String(mime).split('/')[0], uri: fileData.fileUri ?? fileData.file_uri }
}

function callsOf(calls: unknown): Part[] {
  if (!Array.isArray(calls)) return []
  return calls.filter(isFields).map((call) => {
    const { name, arguments: input, args = input } = isFields(call.function) ? call.function : call
    return { type: 'tool_call', id: call.id, name, arguments: args }
  })
}
