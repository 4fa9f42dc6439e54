import { isFields, parsedJson } from '@svc/core/json'

/** The messages in a recorded input or output, of any of the usual forms. */
export function messagesIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (!isFields(value)) return []
  if (Array.isArray(value.messages)) return value.messages
  if (Array.isArray(value.choices)) return value.choices.map((choice) => (isFields(choice) ? choice.message : choice))
  return [value]
}

/** `content` as text or in parts, or the `parts` of the GenAI conventions. */
export function textOf(message: unknown): string | undefined {
  if (!isFields(message)) return undefined
  const { content, parts } = message
  if (typeof content === 'string') return content || undefined
  const list: unknown = Array.isArray(content) ? content : parts
  if (!Array.isArray(list)) return undefined
  const texts = list.flatMap((part) => textOfPart(part) ?? [])
  return texts.length > 0 ? texts.join('\n') : undefined
}

function textOfPart(part: unknown): string | undefined {
  if (typeof part === 'string') return part
  if (!isFields(part)) return undefined
  if (part.type !== 'text' && part.type !== 'input_text' && part.type !== 'output_text') return undefined
  const text = part.text ?? part.content
  return typeof text === 'string' && text !== '' ? text : undefined
}

/** Nested in a `function` or flat, by the names of any provider. */
export function toolCallsOf(message: unknown): readonly object[] {
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
