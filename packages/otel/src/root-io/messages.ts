import { isFields, parsedJson } from '@svc/core/json'

/** Longest JSON text that is read as a whole: 64 KiB take less than a millisecond. */
const READ_LIMIT = 65_536
/** Longest message that is read. An image of some megabytes would hold up the application. */
const MESSAGE_LIMIT = 1_000_000
/** A conversation may end with many messages of the user that are results of tools: without text, all of them. */
const LOOKS = 32
const USER = '{"role":"user",'

/**
 * The last text of the user in a recorded input: messages of any of the usual forms, or text.
 *
 * An input is a whole conversation, with definitions of tools behind it, and costs more to read than everything else
 * about a span: so the last message of the user is looked for in the text, and only that one is read.
 */
export function questionIn(input: string): string | undefined {
  if (!isJson(input)) return input || undefined
  for (const at of lastPlaces(input, USER)) {
    const text = readText(parsedJson(objectAt(input, at)))
    if (text) return text
  }
  if (input.length > READ_LIMIT) return undefined
  const messages = messagesIn(parsedJson(input))
  const question = messages.findLast((message) => isFields(message) && message.role === 'user' && readText(message))
  return readText(question) ?? input
}

/** Returns the text of a recorded response, or its tool calls if it has none. */
export function answerIn(output: string): string | undefined {
  if (!isJson(output) || output.length > READ_LIMIT) return output || undefined
  const messages = messagesIn(parsedJson(output))
  for (const message of messages) {
    const text = readText(message)
    if (text) return text
  }
  // In a form of our own: the service counts tool calls by their field names, and has counted these below.
  const calls = messages.flatMap(toolCallsOf)
  return calls.length > 0 ? JSON.stringify(calls) : output
}

/** The last places of `part`, from the end. Forwards: V8 looks for a text from the end one character at a time. */
function lastPlaces(text: string, part: string): readonly number[] {
  const places: number[] = []
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) places.push(at)
  return places.slice(-LOOKS).reverse()
}

function isJson(text: string): boolean {
  return text.startsWith('{') || text.startsWith('[')
}

/** The text of the object that begins at `start`; undefined where it does not end within bounds. */
function objectAt(text: string, start: number): string | undefined {
  const limit = Math.min(text.length, start + MESSAGE_LIMIT)
  let depth = 0
  for (let at = start; at < limit; at += 1) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) at = endOfString(text, at)
    else if (character === OPEN) depth += 1
    else if (character === CLOSE) {
      depth -= 1
      if (depth === 0) return text.slice(start, at + 1)
    }
  }
  return undefined
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN = 0x7b
const CLOSE = 0x7d

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end > 0 && text.charCodeAt(end - 1) === BACKSLASH && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end < 0 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1
  return backslashes % 2 === 1
}

function messagesIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (!isFields(value)) return []
  if (Array.isArray(value.messages)) return value.messages
  if (Array.isArray(value.choices)) return value.choices.map((choice) => (isFields(choice) ? choice.message : choice))
  return [value]
}

/** `content` as text or in parts, or the `parts` of the GenAI conventions. */
function readText(message: unknown): string | undefined {
  if (!isFields(message)) return undefined
  const { content, parts } = message
  if (typeof content === 'string') return content || undefined
  const list: unknown = Array.isArray(content) ? content : parts
  if (!Array.isArray(list)) return undefined
  const texts = list.flatMap((part) => readPart(part) ?? [])
  return texts.length > 0 ? texts.join('\n') : undefined
}

function readPart(part: unknown): string | undefined {
  if (typeof part === 'string') return part
  if (!isFields(part)) return undefined
  if (part.type !== 'text' && part.type !== 'input_text' && part.type !== 'output_text') return undefined
  const text = part.text ?? part.content
  return typeof text === 'string' && text !== '' ? text : undefined
}

/** Nested in a `function` or flat, by the names of any provider. */
function toolCallsOf(message: unknown): readonly object[] {
  if (!isFields(message)) return []
  // The AI SDK records them without a message around them.
  const own = typeof message.toolName === 'string' ? message : undefined
  return [own, message.tool_calls, message.parts, message.content].flat().flatMap((part) => {
    if (!isFields(part)) return []
    const call = isFields(part.function) ? part.function : part
    const tool = call.name ?? call.toolName
    const input = call.arguments ?? call.input
    return typeof tool === 'string'
      ? [{ tool, arguments: (typeof input === 'string' ? parsedJson(input) : undefined) ?? input }]
      : []
  })
}
