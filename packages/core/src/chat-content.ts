import { boundedJson, boundedText } from './bounded-json.ts'
import { toolDefinitions } from './tool-definitions.ts'

/** One piece of a message, as the GenAI conventions have it: text, a tool call, a tool's answer, a picture. */
export interface Part {
  readonly type: string
  readonly [field: string]: unknown
}

/** A message of a conversation, whoever made it: the neutral form, which is that of the GenAI conventions. */
export interface Message {
  readonly role: string
  readonly parts: readonly Part[]
  readonly name?: string
  readonly finish_reason?: string
}

/** What a model is asked. */
export interface Conversation {
  readonly instructions?: readonly Part[] | undefined
  readonly messages?: readonly Message[] | undefined
  /** The definitions in the words of the provider. */
  readonly tools?: unknown
}

type Fields = Readonly<Record<string, unknown>>

/** A message as the service reads it. */
type ChatMessage = Record<string, unknown>

/**
 * A conversation in the one shape that the service reads completely: for its formatted view, its filters and its
 * evaluators. Undefined where there is nothing to show.
 */
export function chatInput({ instructions, messages = [], tools }: Conversation): Fields | undefined {
  const said = instructions?.length ? [{ role: 'system', parts: instructions }, ...messages] : messages
  const definitions = tools === undefined || tools === null ? [] : toolDefinitions(tools)
  if (said.length === 0 && definitions.length === 0) return undefined
  const chat = { messages: chatMessages(said) }
  return definitions.length > 0 ? { ...chat, tools: definitions } : chat
}

/** What a model answered, in that shape: a list, which has one message for each choice. */
export function chatMessages(messages: readonly Message[]): readonly ChatMessage[] {
  const chat: ChatMessage[] = []
  const ids = new CallIds()
  // For every message of every call: a loop over what most messages are is the fast way.
  for (const message of messages) {
    const { role, name, parts } = message
    const [only] = parts
    if (parts.length === 1 && name === undefined && only?.type === 'text') chat.push({ role, content: plainText(only) })
    else addMessage(chat, message, ids)
  }
  return chat
}

/** The answers of tools are messages of their own: those to a user's message stand before it, others behind. */
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

/** The service shows no call without an id, and counts one with empty arguments only as text. */
function callOf({ id, name, arguments: input }: Part, ids: CallIds): Fields {
  const called = textIn(name) || 'unknown'
  return { id: ids.called(id, called), type: 'function', function: { name: called, arguments: jsonText(input) } }
}

function answerOf({ id, name, response }: Part, speaker: string | undefined, ids: CallIds): ChatMessage {
  const tool = name ?? speaker
  const message: ChatMessage = { role: 'tool', tool_call_id: ids.answered(id, tool) }
  if (typeof tool === 'string') message.name = tool
  message.content = contentsOf(isParts(response) ? response.map(contentOf) : [text(textIn(response))])
  return message
}

function isParts(value: unknown): value is readonly Part[] {
  return Array.isArray(value) && value.length > 0 && value.every((part) => typeof part?.type === 'string')
}

function plainText({ content }: Part): unknown {
  const said = textIn(content)
  return VALUE.test(said) ? [text(said)] : said
}

/** One text stands for itself, unless the service would take it for a value that no message can have. */
function contentsOf(contents: readonly unknown[]): unknown {
  const [first] = contents as readonly Fields[]
  const isText = contents.length === 1 && first?.type === 'text'
  return isText && !VALUE.test(String(first.text)) ? first.text : contents
}

const VALUE = /^\s*(true|false)\s*$/

/** What the service renders: texts, pictures, sounds, and media of other kinds as what they become on their way. */
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

const text = (said: string): Fields => ({ type: 'text', text: said })

const dataUri = (mime: string, base64: string): string =>
  base64.startsWith('data:') ? base64 : `data:${mime};base64,${base64}`

/** A `data:` URI becomes a tag on its way, which may stand for itself. */
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

/** Ids for the calls of vendors that give none: an answer belongs to the oldest open call of its tool. */
class CallIds {
  #given = 0
  readonly #open: { readonly id: string; readonly tool: string }[] = []

  called(own: unknown, tool: string): string {
    if (typeof own === 'string' && own !== '') return own
    const id = `call_${this.#given++}`
    this.#open.push({ id, tool })
    return id
  }

  answered(own: unknown, tool: unknown): string {
    if (typeof own === 'string' && own !== '') return own
    const at = this.#open.findIndex((call) => tool === undefined || call.tool === tool)
    if (at < 0) return ''
    const [call] = this.#open.splice(at, 1)
    return call?.id ?? ''
  }
}
