import { toText } from '@svc/core/json'
import { decoded } from '../../json-text.ts'
import type { ToolCall } from '../../store/observation.ts'
import type { Value } from '../../store/received.ts'
import { arrayOf, isMap, type ValueMap } from './read.ts'

const CALL_PARTS: readonly unknown[] = ['tool_use', 'tool-call']
const CALL_ITEMS: readonly unknown[] = ['function_call', 'mcp_call', 'tool_use']

/** The calls that the service reads from an output. It looks into no other wrapper and no other kind of part. */
export function toolCallsOf(output: unknown): ToolCall[] {
  const value = typeof output === 'string' ? decoded(output) : output
  const known = new Set<string>()
  return callsIn(value).filter((call) => {
    const key = call.id ?? JSON.stringify([call.name, call.arguments])
    return !known.has(key) && known.add(key)
  })
}

function callsIn(value: unknown): ToolCall[] {
  if (Array.isArray(value)) return value.flatMap((item) => [...ofMessage(item), ...ofItem(item)])
  if (!isMap(value)) return []
  const choices = Array.isArray(value.choices) ? value.choices : []
  return [
    ...ofMessage(value),
    ...ofItem(value),
    ...choices.flatMap((choice) => (isMap(choice) ? ofMessage(choice.message) : [])),
    ...(isMap(value.additional_kwargs) ? ofList(value.additional_kwargs.tool_calls) : []),
  ]
}

function ofMessage(message: Value | undefined): ToolCall[] {
  if (!isMap(message)) return []
  const parts = Array.isArray(message.content) ? message.content : []
  return [
    ...ofList(message.tool_calls),
    ...ofList(message.toolCalls),
    ...parts.flatMap((part) => (isMap(part) && CALL_PARTS.includes(part.type) ? ofCall(part) : [])),
  ]
}

/** A call that stands for itself: an item of a response, or what the AI SDK lists. */
function ofItem(item: Value): ToolCall[] {
  if (!isMap(item)) return []
  return CALL_ITEMS.includes(item.type) || (item.toolCallId !== undefined && item.toolName !== undefined)
    ? ofCall(item)
    : []
}

function ofList(calls: Value | undefined): ToolCall[] {
  return (arrayOf(calls) ?? []).flatMap((call) => (isMap(call) ? ofCall(call) : []))
}

function ofCall(call: ValueMap): ToolCall[] {
  const nested = isMap(call.function) ? call.function : {}
  const name = nested.name ?? call.name ?? call.toolName
  if (typeof name !== 'string' || name === '') return []
  const id = call.call_id ?? call.id ?? call.toolCallId
  const text = toText(nested.arguments ?? call.arguments ?? call.args ?? call.input)
  return [{ ...(typeof id === 'string' ? { id } : {}), name, ...(text === undefined ? {} : { arguments: text }) }]
}
