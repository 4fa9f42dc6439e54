import type { Attributes, AttributeValue } from '@opentelemetry/api'
import { isFields, parsedJson } from '@svc/core/json'
import type { ServiceContent } from './service-content.ts'

type Fields = Readonly<Record<string, unknown>>

const MESSAGES = 'ai.prompt.messages'
const TOOLS = 'ai.prompt.tools'
const ANSWER = ['ai.response.text', 'ai.response.reasoning', 'ai.response.toolCalls', 'ai.response.object']

/** Message parts whose form differs between the AI SDK and the service. */
const UNREAD = /"type":"(reasoning|image|file|tool-result)"/

/**
 * Converts a model call of the AI SDK 5 or 6 to the form that the service reads completely in this scope: the SDK's own
 * messages with tool calls among the parts, or the embedded values. Undefined for other spans.
 */
export function aiSdkContent(attributes: Attributes, limit: number): ServiceContent | undefined {
  const operation = String(attributes['ai.operationId'])
  if (OF_EMBEDDING.test(operation)) return { input: textsIn(attributes), from: TEXTS }
  if (!OF_MODEL.test(operation)) return undefined
  const messages = attributes[MESSAGES]
  if (typeof messages === 'string' && messages.length > limit) return undefined
  const answer = answerIn(attributes)
  return {
    input: typeof messages === 'string' ? inputOf(messages, toolsIn(attributes[TOOLS])) : undefined,
    output: answer && JSON.stringify([answer]),
    from: [MESSAGES, TOOLS, ...(answer ? ANSWER : [])],
  }
}

const OF_MODEL = /\.do(Generate|Stream)$/
const OF_EMBEDDING = /^ai\.embed/
const TEXTS = ['ai.values', 'ai.value']

/** The embedded values, each as JSON text, which the service does not read. */
function textsIn(attributes: Attributes): string | undefined {
  const [many, one] = TEXTS.map((name) => attributes[name])
  if (Array.isArray(many)) return `[${many.join(',')}]`
  return typeof one === 'string' ? `[${one}]` : undefined
}

/** The texts are joined unparsed: parsing them would cost more than everything else here. */
function inputOf(messages: string, tools: string | undefined): string {
  const readable = UNREAD.test(messages) ? (rewritten(messages) ?? messages) : messages
  return `{"messages":${readable}${tools === undefined ? '' : `,"tools":${tools}`}}`
}

/** One JSON text for each tool. */
function toolsIn(value: AttributeValue | undefined): string | undefined {
  if (Array.isArray(value)) return value.length > 0 ? `[${value.join(',')}]` : undefined
  return typeof value === 'string' && value.startsWith('[') ? value : undefined
}

function answerIn(attributes: Attributes): Fields | undefined {
  const [text, reasoning, calls, object] = ANSWER.map((name) => attributes[name])
  const answer = typeof text === 'string' && text !== '' ? text : object
  const called = listIn(calls).filter(isFields)
  if (answer === undefined && reasoning === undefined && called.length === 0) return undefined
  const parts = [
    ...(typeof answer === 'string' ? [{ type: 'text', text: answer }] : []),
    ...called.map(({ toolCallId, toolName, input, args = input }) => {
      return {
        type: 'tool-call',
        toolCallId,
        toolName,
        input: typeof args === 'string' ? (parsedJson(args) ?? args) : args,
      }
    }),
  ]
  return {
    role: 'assistant',
    ...(called.length > 0 ? { content: parts } : { content: typeof answer === 'string' ? answer : '' }),
    ...(typeof reasoning === 'string' ? { thinking: thoughts([reasoning]) } : {}),
  }
}

function rewritten(messages: string): string | undefined {
  const list = parsedJson(messages)
  return Array.isArray(list) ? JSON.stringify(list.flatMap(messagesOf)) : undefined
}

/** The service reads one tool result per message. */
function messagesOf(message: unknown): readonly unknown[] {
  if (!isFields(message) || !Array.isArray(message.content)) return [message]
  const parts = message.content.filter(isFields)
  if (message.role === 'tool' && parts.length > 1) return parts.map((part) => ({ ...message, content: [part] }))
  const thought = parts.flatMap(({ type, text }) =>
    type === 'reasoning' && typeof text === 'string' && text ? [text] : [],
  )
  const content = parts.filter(({ type }) => type !== 'reasoning').map(partOf)
  return [{ ...message, content, ...(thought.length > 0 ? { thinking: thoughts(thought) } : {}) }]
}

function thoughts(texts: readonly string[]): readonly Fields[] {
  return texts.map((content) => ({ type: 'thinking', content }))
}

/** Images and other media, in the form that the service renders. */
function partOf(part: Fields): unknown {
  const { type, image, data = image, mediaType, mimeType = mediaType } = part
  if ((type !== 'image' && type !== 'file') || typeof data !== 'string') return part
  const mime = typeof mimeType === 'string' ? mimeType : 'image/png'
  const uri = /^(https?:|data:)/.test(data) ? data : `data:${mime.replace('*', 'png')};base64,${data}`
  if (type === 'image' || mime.startsWith('image/')) return { type: 'image_url', image_url: { url: uri } }
  if (mime.startsWith('audio/') && uri.startsWith('data:')) return { type: 'input_audio', input_audio: { data: uri } }
  return uri.startsWith('data:') ? uri : { type: 'text', text: uri }
}

function listIn(value: unknown): readonly unknown[] {
  const list = typeof value === 'string' ? parsedJson(value) : value
  return Array.isArray(list) ? list : []
}
