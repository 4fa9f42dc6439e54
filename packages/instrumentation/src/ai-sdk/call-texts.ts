import type { Attributes, Span } from '@opentelemetry/api'
import { ATTRIBUTE } from '@svc/core/attributes'
import { boundedJson, isWithin } from '@svc/core/bounded-json'
import { chatInput, chatMessages, type Message, type Part } from '@svc/core/chat-content'
import { chatText } from '../gen-ai/chat-text.ts'
import { contentMaxBytes } from '../gen-ai/configure.ts'
import { parseJson } from '../gen-ai/parts.ts'
import { asArray, asRecord, isObject } from '../gen-ai/read.ts'
import { withThoughts } from '../gen-ai/thoughts.ts'
import { inputMessage, type ModelAnswer, outputMessages, promptMessages, systemInstructions } from './messages.ts'

interface Known {
  readonly content: unknown
  /** Its parts as they were: a list of them may be changed in place. */
  readonly parts: readonly unknown[]
  readonly text: string
}

/** A request to a model, as the events of the SDK hold it. */
export interface Request {
  readonly instructions?: unknown
  /** A text is a message of the user. */
  readonly messages: readonly unknown[]
  readonly tools?: readonly unknown[] | undefined
}

/**
 * The messages of one call as the service reads them, as JSON text within `SVC_CONTENT_MAX_BYTES`. A message is formatted
 * once: every request to the model repeats the messages of earlier ones, and the call repeats its last answer. A message
 * whose content or parts were replaced, or that has more or fewer parts, is formatted again.
 */
export class CallTexts {
  readonly #known = new Map<object, Known>()
  /** The latest answer with text only. */
  #answer: { readonly text: unknown; readonly json: string } | undefined

  /** Returns undefined for a request without messages and tools. */
  input({ instructions, messages, tools = [] }: Request): string | undefined {
    const texts = messages.map((message) => this.#format(message))
    return inputText(systemInstructions(instructions), texts, tools)
  }

  output(answer: ModelAnswer): string {
    const { text } = answer
    if (!isText(answer)) return outputText(answer)
    const known = this.#answer
    if (known && known.text === text) return known.json
    const json = outputText(answer)
    this.#answer = { text, json }
    return json
  }

  #format(message: unknown): string {
    const known = isObject(message) ? this.#known.get(message) : undefined
    const { content } = asRecord(message)
    if (known && known.content === content && hasParts(content, known.parts)) return known.text
    const text = messageText(inputMessage(message))
    if (isObject(message)) this.#known.set(message, { content, parts: [...asArray(content)], text })
    return text
  }
}

/** Formats a request for an object, whose prompt repeats the instructions at its beginning. */
export function promptText(instructions: unknown, prompt: readonly unknown[]): string | undefined {
  const system = systemInstructions(instructions)
  return inputText(system, promptMessages(prompt.slice(system.length)).map(messageText), [])
}

/** Adds tools to the request on a span, unless the application has put something else there. */
export function addTools(span: Span, tools: readonly unknown[]): void {
  const { attributes = {} } = span as { readonly attributes?: Attributes }
  const chat = asRecord(parseJson(attributes[ATTRIBUTE.OBSERVATION_INPUT]))
  if (!Array.isArray(chat.messages)) return
  const all = [...asArray(chat.tools), ...asArray(chatInput({ tools })?.tools)]
  span.setAttribute(ATTRIBUTE.OBSERVATION_INPUT, chatText({ ...chat, tools: all }))
}

function inputText(system: readonly Part[], texts: readonly string[], tools: readonly unknown[]): string | undefined {
  const all = system.length > 0 ? [messageText({ role: 'system', parts: system }), ...texts] : texts
  const definitions = asArray(chatInput({ tools })?.tools)
  if (all.length + definitions.length === 0) return undefined
  const tail = definitions.length > 0 ? `,"tools":${jsonText(definitions)}` : ''
  return bounded(`{"messages":[${all.join(',')}]${tail}}`)
}

function outputText(answer: ModelAnswer): string {
  return chatText(chatMessages(outputMessages(answer).map(withThoughts)))
}

/** One message, or several where the results of tools lie in it, without brackets around them. */
function messageText(message: Message): string {
  return jsonText(chatMessages([message])).slice(1, -1)
}

/** What JSON cannot say (a cycle, a bigint in the schema of a tool) is replaced, so that the call is recorded. */
function jsonText(value: readonly unknown[]): string {
  try {
    return JSON.stringify(value)
  } catch {
    return boundedJson(value) ?? '[]'
  }
}

function hasParts(content: unknown, parts: readonly unknown[]): boolean {
  const now = asArray(content)
  return now.length === parts.length && parts.every((part, at) => part === now[at])
}

function bounded(text: string): string {
  return isWithin(contentMaxBytes(), text) ? text : chatText(JSON.parse(text))
}

function isText({ reasoning, toolCalls, toolResults, files }: ModelAnswer): boolean {
  return [reasoning, toolCalls, toolResults, files].every((parts) => !parts || parts.length === 0)
}
