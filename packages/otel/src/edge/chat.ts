import type { Message, Part } from '@svc/core/chat-content'
import { isFields, toText } from '@svc/core/json'
import type { Chat } from '../dialects/gen-ai-content.ts'

/**
 * Writes messages of the GenAI conventions as the service reads them. In the place of `chatInput` and `chatMessages` of
 * `@svc/core/chat-content`, which also know what providers and instrumentations that do not run on the edge write.
 */
export const chat: Chat = {
  chatInput({ instructions = [], messages = [], tools: given }) {
    const system = instructions.length > 0 ? [{ role: 'system', parts: instructions }] : []
    const all = chat.chatMessages([...system, ...messages])
    const tools = [given].flat().flatMap(toolOf)
    if (tools.length > 0) return { messages: all, tools }
    return all.length > 0 ? { messages: all } : undefined
  },

  chatMessages: (messages) => messages.flatMap(messagesOf),
}

/** Responses of tools are messages of their own: before one of the user, after one of the assistant. */
function messagesOf({ role, name, parts }: Message): object[] {
  const contents: Content[] = []
  const thinking: object[] = []
  const calls: object[] = []
  const answers: object[] = []
  for (const part of parts) {
    const { type, name: tool, id } = part
    if (type === 'reasoning') thinking.push({ type: 'thinking', content: textOf(part.content) })
    else if (type === 'tool_call_response') {
      answers.push({ role: 'tool', tool_call_id: id || tool, name: tool, content: textOf(part.response) })
    } else if (type === 'tool_call') {
      calls.push({
        id: id || tool,
        type: 'function',
        function: { name: tool, arguments: textOf(part.arguments ?? {}) },
      })
    } else contents.push(contentOf(part))
  }
  if (answers.length > 0 && answers.length === parts.length) return answers
  const content = contents.length > 0 || thinking.length + calls.length === 0 ? contentsOf(contents) : undefined
  const own = { role, name, content, thinking: given(thinking), tool_calls: given(calls) }
  return role === 'assistant' ? [own, ...answers] : [...answers, own]
}

const given = (list: readonly object[]) => (list.length > 0 ? list : undefined)

type Content = string | { readonly type: string; readonly text?: string }

/** A single text is written as a string, unless the service would read it as a boolean. */
function contentsOf(contents: readonly Content[]): unknown {
  const [first = { type: 'text', text: '' }] = contents
  if (contents.length > 1 || typeof first === 'string') return contents
  return first.text === undefined || /^\s*(true|false)\s*$/.test(first.text) ? contents : first.text
}

function contentOf(part: Part): Content {
  const { type, content, mime_type: mime, modality, uri } = part
  if (type === 'text') return { type, text: textOf(content) }
  const inline = content && `data:${mime ?? ''};base64,${content}`
  const url = textOf((type === 'uri' && uri) || (type === 'blob' && inline) || undefined)
  if (!url) return { type: 'text', text: textOf(part) }
  if (/^(https?|data):/.test(url) && /^image/.test(`${mime ?? modality}`))
    return { type: 'image_url', image_url: { url } } as Content
  return type === 'blob' ? url : { type: 'text', text: url }
}

function toolOf(tool: unknown): object[] {
  if (!isFields(tool)) return []
  const fields = (tool.function ?? tool) as typeof tool
  const { name = tool.type, description, inputSchema, parameters = inputSchema } = fields
  return [{ type: 'function', function: { name, description, parameters } }]
}

const textOf = (value: unknown) => toText(value) ?? ''
