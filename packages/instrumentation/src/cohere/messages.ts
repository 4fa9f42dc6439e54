import { reasoningPart, textPart, toolAnswerPart, toolCallPart, uriPart } from '../calls/parts.ts'
import { defined, entryOf, type Fields, fieldsOf, isObject, listOf, nameOf, numberOf } from '../calls/read.ts'
import type { Answer, Message, Part, Usage } from '../calls/result.ts'

const PARTS: Readonly<Record<string, (part: Fields) => Part[]>> = {
  text: ({ text }) => [textPart(text)],
  thinking: ({ thinking }) => reasoningPart(thinking),
  image_url: ({ imageUrl }) => [uriPart('image', fieldsOf(imageUrl).url)],
}

export function messageOf({ role, content, toolCalls, toolCallId, toolPlan }: Fields): Message {
  if (role === 'tool') return { role, parts: [toolAnswerPart(toolCallId, content)] }
  const calls = listOf(toolCalls).map((call) => {
    const { id, function: called } = fieldsOf(call)
    const { name, arguments: input } = fieldsOf(called)
    return toolCallPart(id, name, input)
  })
  return { role: nameOf(role) ?? 'user', parts: [...reasoningPart(toolPlan), ...partsOf(content), ...calls] }
}

export function answerOf({ id, finishReason, message, usage }: Fields): Answer {
  const finish_reason = nameOf(finishReason)
  const said = messageOf(fieldsOf(message))
  return {
    id: nameOf(id),
    finishReasons: finish_reason ? [finish_reason] : [],
    messages: said.parts.length > 0 ? [{ ...said, role: 'assistant', ...defined({ finish_reason }) }] : [],
    usage: usageOf(usage),
  }
}

/** What was counted; what was billed where nothing else is said. Fields that a version does not know keep their name. */
export function usageOf(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined
  const { inputTokens, outputTokens } = fieldsOf(usage.tokens ?? usage.billedUnits)
  return {
    input: numberOf(inputTokens),
    output: numberOf(outputTokens),
    ...defined({ cacheRead: numberOf(usage.cachedTokens ?? usage.cached_tokens) }),
  }
}

function partsOf(content: unknown): Part[] {
  return listOf(content).flatMap((part) => {
    if (!isObject(part)) return [textPart(part)]
    const type = nameOf(part.type) ?? 'unknown'
    return entryOf(PARTS, type)?.(part) ?? [{ ...part, type }]
  })
}
