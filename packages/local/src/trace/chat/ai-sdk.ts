import { writeText } from '../../exact-json.ts'
import type { Value } from '../../store/received.ts'
import { isMap } from '../map/read.ts'
import { type Adapted, asArray, type ChatSource, chat, messagesOf, typeOf } from './shape.ts'

const AI_SDK_PARTS: readonly unknown[] = ['tool-call', 'tool-result']

export function isAiSdk({ value, scope, metadata }: ChatSource): boolean {
  const attributes = isMap(metadata.attributes) ? metadata.attributes : {}
  const operation = attributes['operation.name'] ?? attributes['ai.operationId']
  if (scope === 'ai' || writeText(operation ?? '').startsWith('ai.')) return true
  return messagesOf(value).some(
    (message) => isMap(message) && asArray(message.content).some((part) => AI_SDK_PARTS.includes(typeOf(part))),
  )
}

/** Calls are read as parts of the content only. */
export function aiSdk(value: Value): Adapted | undefined {
  const tools = isMap(value) ? asArray(value.tools) : []
  const messages = messagesOf(value)
  if (messages.length === 0) return undefined
  if (messages.some((message) => isMap(message) && message.tool_calls !== undefined)) return undefined
  return chat(messages.map(aiSdkMessage), tools)
}

function aiSdkMessage(message: Value): Value {
  if (!isMap(message) || !Array.isArray(message.content)) return message
  const parts = message.content
  const results = parts.filter((part) => typeOf(part) === 'tool-result')
  const [result] = results
  if (isMap(result)) {
    return {
      role: 'tool',
      content: String(JSON.stringify(result.output ?? result.result)),
      tool_call_id: result.toolCallId ?? '',
    }
  }
  const calls = parts.filter((part) => typeOf(part) === 'tool-call')
  if (calls.length === 0) return message
  const texts = parts.filter((part) => typeOf(part) === 'text')
  return {
    ...message,
    content: texts,
    tool_calls: calls.filter(isMap).map((call) => ({
      id: call.toolCallId ?? null,
      name: call.toolName ?? null,
      arguments: JSON.stringify(call.input ?? call.args ?? {}),
    })),
  }
}
