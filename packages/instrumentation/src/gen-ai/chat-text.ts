import { boundedJson, isWithin } from '@svc/core/bounded-json'
import { isFields } from '@svc/core/json'
import { contentMaxBytes } from './configure.ts'

type Fields = Readonly<Record<string, unknown>>

/** The output of a model that said nothing, as of a stream that ended before its first token. */
export const SILENCE = '[{"role":"assistant","content":""}]'

/**
 * Returns the JSON text of a conversation or its messages, within a limit. Never throws. Truncation notes keep the result
 * a valid conversation: the service renders none of it if one message, call or tool is incomplete.
 *
 * @param limit maximum bytes of the text, default `SVC_CONTENT_MAX_BYTES`
 */
export function chatText(chat: unknown, limit: number = contentMaxBytes()): string {
  try {
    const whole = JSON.stringify(chat)
    if (isWithin(limit, whole)) return whole
  } catch {
    // It is cut below: an object contains itself, or the text is too long for V8.
  }
  return cutText(chat, limit)
}

function cutText(chat: unknown, limit: number): string {
  const cut: unknown = JSON.parse(boundedJson(chat, limit) ?? 'null')
  if (Array.isArray(cut)) return JSON.stringify(messagesIn(cut))
  const { messages, tools } = isFields(cut) ? cut : { messages: cut }
  const kept = listIn(tools).filter(isNamed)
  return JSON.stringify({ messages: messagesIn(messages), ...(kept.length > 0 ? { tools: kept } : {}) })
}

function messagesIn(messages: unknown): readonly unknown[] {
  return Array.isArray(messages) && messages.length > 0 ? messages.map(messageIn) : [messageIn(messages)]
}

/** A truncation note in place of messages becomes a message. */
function messageIn(message: unknown): unknown {
  if (!isFields(message) || typeof message.role !== 'string' || !/^\w+$/.test(message.role))
    return { role: 'system', content: noteIn(message) }
  const { '…': note, content, tool_calls, thinking, ...rest } = message
  const calls = listIn(tool_calls).filter(isCall)
  const isWhole = note === undefined && calls.length === listIn(tool_calls).length
  return {
    ...rest,
    ...(Array.isArray(content)
      ? { content: content.map(partIn) }
      : { content: content ?? (isWhole ? undefined : noteIn(note)) }),
    ...(Array.isArray(thinking) ? { thinking: thinking.filter(isFields) } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  }
}

function partIn(part: unknown): unknown {
  if (typeof part === 'string') return part.startsWith('data:') ? part : { type: 'text', text: part }
  const isWhole = isFields(part) && part['…'] === undefined && typeof part.type === 'string'
  return isWhole ? part : { type: 'text', text: noteIn(part) }
}

function isCall(call: unknown): boolean {
  return isNamed(call) && typeof (call as Fields).id === 'string' && typeof functionIn(call).arguments === 'string'
}

function isNamed(tool: unknown): boolean {
  return typeof functionIn(tool).name === 'string'
}

function functionIn(owner: unknown): Fields {
  return isFields(owner) && isFields(owner.function) ? owner.function : {}
}

function noteIn(value: unknown): string {
  if (typeof value === 'string') return value
  const note = isFields(value) ? value['…'] : undefined
  return typeof note === 'string' ? note : '[truncated by svc]'
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
