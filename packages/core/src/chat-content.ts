import { boundedJson, boundedText } from './bounded-json.ts'
import { toolDefinitions } from './tool-definitions.ts'

/** One part of a message, as in the GenAI conventions: text, a tool call, a tool call response, an image. */
export interface Part {
  readonly type: string
  readonly [field: string]: unknown
}

/** A message in the format of the GenAI conventions. */
export interface Message {
  readonly role: string
  readonly parts: readonly Part[]
  readonly name?: string
  readonly finish_reason?: string
}

/** The input of a model call. */
export interface Conversation {
  readonly instructions?: readonly Part[] | undefined
  readonly messages?: readonly Message[] | undefined
  /** The tool definitions in the format of the provider. */
  readonly tools?: unknown
}

type Fields = Readonly<Record<string, unknown>>

/** A message as the service reads it. */
type ChatMessage = Record<string, unknown>

/**
 * Returns a conversation in the one format that all parts of the service understand: its formatted view, filters and
 * evaluators. Undefined for an empty conversation.
 */
export function chatInput({ instructions, messages = [], tools }: Conversation): Fields | undefined {
  const all = instructions?.length ? [{ role: 'system', parts: instructions }, ...messages] : messages
  const definitions = tools === undefined || tools === null ? [] : toolDefinitions(tools)
  if (all.length === 0 && definitions.length === 0) return undefined
  const chat = { messages: chatMessages(all) }
  return definitions.length > 0 ? { ...chat, tools: definitions } : chat
}

/** Returns the output of a model in the same format: a list with one message per choice. */
export function chatMessages(messages: readonly Message[]): readonly ChatMessage[] {
  const chat: ChatMessage[] = []
  let ids: CallIds | undefined
  // This runs for every message of every call, so the most common kind of message is handled first.
  for (const message of messages) {
    const text = message.name === undefined && message.parts.length === 1 ? plainText(message.parts[0]) : undefined
    if (text !== undefined) {
      chat.push({ role: message.role, content: text })
    } else {
      ids ??= new CallIds()
      addMessage(chat, message, ids)
    }
  }
  return chat
}

/** Tool call responses become separate messages: before a user message, after an assistant message. */
function addMessage(chat: ChatMessage[], { role, name, parts }: Message, ids: CallIds): void {
  const content: unknown[] = []
  const thinking: unknown[] = []
  const calls: unknown[] = []
  const answers: ChatMessage[] = []
  for (const part of parts) {
    if (part.type === 'tool_call') calls.push(callOf(part, ids))
    else if (part.type === 'tool_call_response') answers.push(answerOf(part, name, ids))
    else if (part.type === 'reasoning') thinking.push({ type: 'thinking', content: textIn(part.content) })
    else content.push(contentOf(part))
  }
  const isAnswer = answers.length > 0 && content.length + thinking.length + calls.length === 0
  if (isAnswer || role !== 'assistant') chat.push(...answers)
  if (isAnswer) return
  const message: ChatMessage = { role }
  if (name !== undefined) message.name = name
  if (content.length > 0) message.content = contentsOf(content)
  else if (thinking.length + calls.length === 0) message.content = ''
  if (thinking.length > 0) message.thinking = thinking
  if (calls.length > 0) message.tool_calls = calls
  chat.push(message)
  if (role === 'assistant') chat.push(...answers)
}

/** The service hides tool calls without an id, and reads one with empty arguments as plain text. */
function callOf({ id, name, arguments: input }: Part, ids: CallIds): Fields {
  const tool = textIn(name) || 'unknown'
  return { id: ids.idOfCall(id, tool), type: 'function', function: { name: tool, arguments: jsonText(input) } }
}

function answerOf({ id, name, response }: Part, speaker: string | undefined, ids: CallIds): ChatMessage {
  const tool = name ?? speaker
  const message: ChatMessage = { role: 'tool', tool_call_id: ids.idOfResponse(id, tool) }
  if (typeof tool === 'string') message.name = tool
  message.content = contentsOf(isParts(response) ? response.map(contentOf) : [text(textIn(response))])
  return message
}

function isParts(value: unknown): value is readonly Part[] {
  return Array.isArray(value) && value.length > 0 && value.every((part) => typeof part?.type === 'string')
}

/** Returns the text of a part that is written as a string. */
function plainText(part: Part | undefined): string | undefined {
  if (part?.type !== 'text' || typeof part.content !== 'string') return undefined
  return VALUE.test(part.content) ? undefined : part.content
}

/** A single text is written as a string, unless the service would read it as a boolean. */
function contentsOf(contents: readonly unknown[]): unknown {
  const [first] = contents as readonly Fields[]
  const isText = contents.length === 1 && first?.type === 'text'
  return isText && !VALUE.test(String(first.text)) ? first.text : contents
}

const VALUE = /^\s*(true|false)\s*$/

/** The parts that the service renders: text, images, audio, and the tags of other media. */
function contentOf(part: Part): unknown {
  const { type, content, modality, uri } = part
  if (type === 'text' || type === 'refusal' || type === 'suffix') return text(textIn(content))
  if (type === 'uri') return mediaOf(modality, textIn(uri))
  if (type === 'blob') {
    const mime = textIn(part.mime_type) || 'application/octet-stream'
    if (typeof content === 'string') return mediaOf(modality, dataUri(mime, content))
    return text(`[${textIn(modality) || mime}]`)
  }
  if (type === 'file') return text(`[file ${textIn(part.filename ?? part.file_id)}]`)
  if (type === 'audio') return text(textIn(part.transcript) || '[audio]')
  if (type === 'tokens') return text(`[${part.count} tokens]`)
  return text(jsonText(part))
}

const text = (content: string): Fields => ({ type: 'text', text: content })

const dataUri = (mime: string, base64: string): string =>
  base64.startsWith('data:') ? base64 : `data:${mime};base64,${base64}`

/** A `data:` URI is replaced by a media tag before export; a tag may be a content item by itself. */
function mediaOf(modality: unknown, uri: string): unknown {
  const isData = uri.startsWith('data:')
  if (modality === 'audio' && isData) {
    const [, format = 'wav'] = /^data:audio\/([\w-]+)/.exec(uri) ?? []
    return { type: 'input_audio', input_audio: { data: uri, format } }
  }
  const isImage = modality === 'image' ? isData || /^https?:/.test(uri) : uri.startsWith('data:image/')
  if (isImage) return { type: 'image_url', image_url: { url: uri } }
  return isData ? uri : text(uri)
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : (boundedText(value) ?? '')
}

/** Text that may be JSON already. */
function jsonText(value: unknown): string {
  if (value === undefined || value === null) return '{}'
  return typeof value === 'string' ? value : (boundedJson(value) ?? '{}')
}

/** Generates ids for calls of providers without ids: a response belongs to the oldest open call of its tool. */
class CallIds {
  #generated = 0
  readonly #open: { readonly id: string; readonly tool: string }[] = []

  idOfCall(given: unknown, tool: string): string {
    if (typeof given === 'string' && given !== '') return given
    const id = `call_${this.#generated++}`
    this.#open.push({ id, tool })
    return id
  }

  idOfResponse(given: unknown, tool: unknown): string {
    if (typeof given === 'string' && given !== '') return given
    const at = this.#open.findIndex((call) => tool === undefined || call.tool === tool)
    if (at < 0) return ''
    const [call] = this.#open.splice(at, 1)
    return call?.id ?? ''
  }
}
