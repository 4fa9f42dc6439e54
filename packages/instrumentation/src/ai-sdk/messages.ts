import { own } from '@svc/core/own'
import type { Message, Part } from '../gen-ai/content.ts'
import { asArray, asRecord, asString, type Fields, isObject } from '../gen-ai/read.ts'
import { dataPart, modalityOrImage } from './data-part.ts'

/** Formats one part of a message of the AI SDK in the shape of the GenAI conventions. */
type PartFormat = (part: Fields) => Part
type PartFormats = Readonly<Record<string, PartFormat>>

const text: PartFormat = (part) => ({ type: 'text', content: part.text })
const reasoning: PartFormat = (part) => ({ type: 'reasoning', content: part.text })
const image: PartFormat = ({ image: data, mediaType }) => dataPart(data, mediaType, 'image')
const file: PartFormat = ({ data, mediaType }) => dataPart(data, mediaType, modalityOrImage(mediaType))
const toolCall: PartFormat = ({ toolCallId, toolName, input }) => ({
  type: 'tool_call',
  id: toolCallId ?? null,
  name: toolName,
  arguments: input,
})
const toolResult: PartFormat = ({ toolCallId, output }) => ({
  type: 'tool_call_response',
  id: toolCallId ?? null,
  response: responseOf(output),
})
const approval: PartFormat = ({ approvalId, approved, reason }) => ({
  type: 'tool_approval_response',
  approval_id: approvalId,
  approved,
  reason,
})

/** The parts each role may have. Of any other part, only the type is recorded. */
const PARTS: Readonly<Record<string, PartFormats>> = {
  user: { text, image, file },
  assistant: { text, reasoning, 'tool-call': toolCall, 'tool-result': toolResult },
  tool: { 'tool-result': toolResult },
}

/** The parts of a prompt that the SDK passes to a model. */
const PROMPT_PARTS: PartFormats = {
  text,
  reasoning,
  file,
  'tool-call': toolCall,
  'tool-result': toolResult,
  'tool-approval-response': approval,
  custom: ({ kind }) => ({ type: 'custom', kind }),
}

/** Formats a message that an application passes to the SDK. A text is one of the user. */
export function inputMessage(message: unknown): Message {
  if (typeof message === 'string') return { role: 'user', parts: [{ type: 'text', content: message }] }
  const { role, content } = asRecord(message)
  return formatMessage(String(role), content, own(PARTS, String(role)) ?? {})
}

/** Formats the messages that the SDK passes to a model. */
export function promptMessages(prompt: readonly unknown[]): Message[] {
  return prompt.map((message) => {
    const { role, content } = asRecord(message)
    return formatMessage(String(role), content, PROMPT_PARTS)
  })
}

function formatMessage(role: string, content: unknown, formats: PartFormats): Message {
  if (!Array.isArray(content)) return { role, parts: [{ type: 'text', content }] }
  const parts = content.map((part) => {
    const type = String(asRecord(part).type)
    return own(formats, type)?.(asRecord(part)) ?? { type }
  })
  return { role, parts }
}

/** Formats the instructions of a call: a text, a system message or a list of these. */
export function systemInstructions(instructions: unknown): Part[] {
  return asArray(instructions).map((each) => ({ type: 'text', content: asString(each) ?? asRecord(each).content }))
}

const DENIED = 'execution-denied'
/** Outputs of tools that consist of their value. */
const VALUES: ReadonlySet<unknown> = new Set(['text', 'error-text', 'json', 'error-json'])

function responseOf(output: unknown): unknown {
  if (!isObject(output)) return undefined
  if (VALUES.has(output.type)) return output.value
  return output.type === DENIED ? { denied: true, reason: output.reason } : output
}

/** An answer of a model, from an event of the SDK. */
export interface ModelAnswer {
  readonly text?: unknown
  readonly reasoning?: readonly unknown[]
  readonly toolCalls?: readonly unknown[]
  readonly toolResults?: readonly unknown[]
  readonly files?: readonly unknown[]
}

/** Formats an answer as one message of the assistant. */
export function outputMessages(answer: ModelAnswer): Message[] {
  const { reasoning: thoughts = [], toolCalls = [], toolResults = [], files = [] } = answer
  const parts: Part[] = []
  for (const thought of thoughts) if (asRecord(thought).text) parts.push(reasoning(asRecord(thought)))
  if (answer.text) parts.push({ type: 'text', content: answer.text })
  for (const call of toolCalls) parts.push(toolCall(asRecord(call)))
  for (const result of toolResults) {
    const { toolCallId, output } = asRecord(result)
    parts.push({ type: 'tool_call_response', id: toolCallId, response: output })
  }
  for (const made of files) {
    const { mediaType, base64 } = asRecord(made)
    parts.push({ type: 'blob', modality: modalityOrImage(mediaType), mime_type: mediaType, content: base64 })
  }
  return [{ role: 'assistant', parts }]
}
