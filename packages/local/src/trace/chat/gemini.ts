import type { Value } from '../../store/received.ts'
import { isMap, type ValueMap } from '../map/read.ts'
import { type Adapted, asArray, type ChatSource, callsOf, chat, thinkingOf, withFlatCalls } from './shape.ts'

export function isGemini({ value, spanName }: ChatSource): boolean {
  if (/gemini|vertex/i.test(spanName)) return true
  if (!isMap(value)) return false
  return (
    value.contents !== undefined ||
    value.candidates !== undefined ||
    (isMap(value.content) && value.content.parts !== undefined)
  )
}

/** Reads the parts of Gemini, and deletes all others. */
export function gemini(value: Value): Adapted | undefined {
  const candidates = isMap(value)
    ? asArray(value.candidates).map((each) => (isMap(each) ? (each.content ?? null) : null))
    : []
  const contents = isMap(value) ? asArray(value.contents) : asArray(value)
  const messages = candidates.length > 0 ? candidates : contents
  if (messages.length === 0) return undefined
  return chat(messages.filter(isMap).map(geminiMessage))
}

function geminiMessage({ role, parts, content, tool_calls: calls, ...rest }: ValueMap): Value {
  const own = asArray(parts)
  if (parts === undefined)
    return withFlatCalls({
      ...rest,
      ...(role === undefined ? {} : { role }),
      content: content ?? null,
      ...(calls === undefined ? {} : { tool_calls: calls }),
    })
  const texts = own.filter((part) => isMap(part) && typeof part.text === 'string' && part.thought !== true)
  const called = own.flatMap((part) => (isMap(part) && isMap(part.functionCall) ? [part.functionCall] : []))
  return {
    role: role ?? 'model',
    content: texts.map((part) => ({ type: 'text', text: (part as ValueMap).text ?? '' })),
    ...thinkingOf(own.filter((part) => isMap(part) && part.thought === true)),
    ...callsOf(called, 'args'),
  }
}
