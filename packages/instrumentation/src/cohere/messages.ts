import type { Message, Part, ResponseContent, Usage } from '../gen-ai/content.ts'
import { reasoningPart, textPart, toolAnswerPart, toolCallPart, uriPart } from '../gen-ai/parts.ts'
import { asArray, asName, asNumber, asRecord, defined, entryOf, type Fields, isObject } from '../gen-ai/read.ts'

const PARTS: Readonly<Record<string, (part: Fields) => Part[]>> = {
  text: ({ text }) => [textPart(text)],
  thinking: ({ thinking }) => reasoningPart(thinking),
  image_url: ({ imageUrl }) => [uriPart('image', asRecord(imageUrl).url)],
}

export function messageOf({ role, content, toolCalls, toolCallId, toolPlan }: Fields): Message {
  if (role === 'tool') return { role, parts: [toolAnswerPart(toolCallId, content)] }
  const calls = asArray(toolCalls).map((call) => {
    const { id, function: called } = asRecord(call)
    const { name, arguments: input } = asRecord(called)
    return toolCallPart(id, name, input)
  })
  return { role: asName(role) ?? 'user', parts: [...reasoningPart(toolPlan), ...partsOf(content), ...calls] }
}

export function answerOf({ id, finishReason, message, usage }: Fields): ResponseContent {
  const finish_reason = asName(finishReason)
  const said = messageOf(asRecord(message))
  return {
    id: asName(id),
    finishReasons: finish_reason ? [finish_reason] : [],
    messages: said.parts.length > 0 ? [{ ...said, role: 'assistant', ...defined({ finish_reason }) }] : [],
    usage: usageOf(usage),
  }
}

/** What was counted; what was billed where nothing else is said. Fields that a version does not know keep their name. */
export function usageOf(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined
  const { inputTokens, outputTokens } = asRecord(usage.tokens ?? usage.billedUnits)
  return {
    input: asNumber(inputTokens),
    output: asNumber(outputTokens),
    ...defined({ cacheRead: asNumber(usage.cachedTokens ?? usage.cached_tokens) }),
  }
}

function partsOf(content: unknown): Part[] {
  return asArray(content).flatMap((part) => {
    if (!isObject(part)) return [textPart(part)]
    const type = asName(part.type) ?? 'unknown'
    return entryOf(PARTS, type)?.(part) ?? [{ ...part, type }]
  })
}
