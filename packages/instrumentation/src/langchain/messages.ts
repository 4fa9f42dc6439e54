import { own } from '@svc/core/own'
import type { Message } from '../gen-ai/content.ts'
import { toolCallPart, toolResponsePart } from '../gen-ai/parts.ts'
import { asArray, asName, asRecord, asString, defined, type Fields, isObject } from '../gen-ai/read.ts'
import { contentParts, withViews } from './content.ts'

/** A message of LangChain. */
export interface LangChainMessage {
  /** `human`, `ai`, `system`, `tool`, `function`, or a custom role. */
  readonly type: string
  readonly content: unknown
  readonly name?: string | undefined
  readonly toolCalls: readonly Fields[]
  readonly toolCallId?: unknown
  /** Additional fields of the provider. */
  readonly additional?: Fields | undefined
}

const ROLES: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant' }

interface MessageFields extends Fields {
  readonly content: unknown
}

export function isMessage(value: unknown): value is MessageFields {
  return isObject(value) && 'content' in value && typeof (value._getType ?? value.getType) === 'function'
}

export function readMessage(message: Fields): LangChainMessage {
  const type = readType(message)
  const { tool_calls, additional_kwargs } = message
  const calls = asArray(tool_calls)
  return {
    type: type === 'generic' ? (asString(message.role) ?? 'user') : type,
    content: message.content,
    name: asName(message.name),
    toolCalls: calls.length > 0 ? calls.map(asRecord) : unparsedCalls(asRecord(additional_kwargs)),
    toolCallId: message.tool_call_id,
    additional: asRecord(additional_kwargs),
  }
}

/** Creates a message from plain content. */
export function textMessage(type: string, content: unknown): LangChainMessage {
  return { type, content, toolCalls: [] }
}

/** Converts a message to the GenAI conventions. */
export function toGenAiMessage({ type, content, name, toolCalls, toolCallId }: LangChainMessage): Message {
  const role = type === 'function' ? 'tool' : (own(ROLES, type) ?? type)
  if (role === 'tool') return { role, parts: [toolResponsePart(toolCallId, readToolResponse(content), name)] }
  const calls = toolCalls.map(({ id, name: called, args }) => toolCallPart(id, called, args))
  const parts = [...contentParts(content, calls.length > 0), ...calls]
  return name === undefined ? { role, parts } : { role, name, parts }
}

function readToolResponse(content: unknown): unknown {
  return Array.isArray(content) ? contentParts(content, false) : content
}

/** Converts a message to the format that chat models share: `{role, content, tool_calls}`. */
export function toSimpleMessage({ type, content, name, toolCalls, toolCallId }: LangChainMessage): Fields {
  const isToolResponse = type === 'tool' || type === 'function'
  return defined({
    role: isToolResponse ? (name ?? type) : (own(ROLES, type) ?? type),
    content: withViews(content),
    tool_calls: toolCalls.length > 0 ? toolCalls : undefined,
    tool_call_id: toolCallId,
  })
}

function readType(message: Fields): string {
  const read = message._getType ?? message.getType
  return asString(typeof read === 'function' ? read.call(message) : undefined) ?? asString(message.type) ?? 'unknown'
}

/** Reads tool calls that LangChain could not parse, as the provider sent them. */
function unparsedCalls({ tool_calls, function_call }: Fields): Fields[] {
  const calls = asArray(tool_calls).map((call) => ({ id: asRecord(call).id, ...readFunction(asRecord(call).function) }))
  return isObject(function_call) ? [...calls, readFunction(function_call)] : calls
}

function readFunction(called: unknown): Fields {
  const { name, arguments: args } = asRecord(called)
  return { name, args }
}
