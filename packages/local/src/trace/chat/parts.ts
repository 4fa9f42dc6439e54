import { writeText } from '../../exact-json.ts'
import type { Value } from '../../store/received.ts'
import { isMap } from '../map/read.ts'
import { asArray, type ChatSource, callsOf, partsOf, thinkingOf, typeOf } from './shape.ts'

const MICROSOFT_PARTS: readonly unknown[] = ['text', 'tool_call', 'tool_call_response']

export function isMicrosoftAgent({ value }: ChatSource): boolean {
  const isKnown = (part: Value) => MICROSOFT_PARTS.includes(typeOf(part))
  return haveParts(value, ['user', 'assistant', 'tool'], (parts) => parts.every(isKnown))
}

export function microsoftMessage(message: Value): Value {
  return fromParts(message, 'response')
}

export function isPydanticAi({ value }: ChatSource): boolean {
  return haveParts(value, ['system', 'user', 'assistant'])
}

/** Returns whether this is a list of messages of these roles, each with accepted parts. */
function haveParts(
  value: ChatSource['value'],
  roles: readonly string[],
  accepts: (parts: readonly Value[]) => boolean = () => true,
): boolean {
  const messages = asArray(value)
  const fits = (message: unknown) =>
    isMap(message) && roles.includes(writeText(message.role)) && Array.isArray(message.parts) && accepts(message.parts)
  return messages.length > 0 && messages.every(fits)
}

export function pydanticMessage(message: Value): Value {
  return fromParts(message, 'result')
}

/** Text, thoughts and calls of parts; whatever else there is of them is lost. */
function fromParts(message: Value, result: string): Value {
  const parts = partsOf(message).filter(isMap)
  const role = isMap(message) ? (message.role ?? 'user') : 'user'
  const answer = parts.find((part) => part.type === 'tool_call_response')
  if (answer?.[result] !== undefined) {
    return { role: 'tool', tool_call_id: writeText(answer.id ?? ''), content: String(JSON.stringify(answer[result])) }
  }
  const calls = parts.filter((part) => part.type === 'tool_call')
  return {
    role,
    content: parts
      .filter((part) => part.type === 'text')
      .map((part) => ({ type: 'text', text: writeText(part.content ?? '') })),
    ...thinkingOf(parts.filter((part) => part.type === 'thinking')),
    ...callsOf(calls, 'arguments'),
  }
}
