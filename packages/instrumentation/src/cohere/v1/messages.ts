import type { Message, Part, RequestContent, ResponseContent } from '../../gen-ai/content.ts'
import { textPart, toolAnswerPart, toolCallPart } from '../../gen-ai/parts.ts'
import { asArray, asName, asRecord, asString, defined, entryOf, type Fields } from '../../gen-ai/read.ts'
import { usageOf } from '../messages.ts'

const ROLES: Readonly<Record<string, string>> = { CHATBOT: 'assistant', SYSTEM: 'system', TOOL: 'tool', USER: 'user' }

/** One message, what was said before it, and what tools have answered, each in a field of its own. */
export function questionOf({ preamble, chatHistory, message, toolResults, tools }: Fields): RequestContent {
  const before = asArray(chatHistory).map((said) => messageOf(asRecord(said)))
  const results = asArray(toolResults)
  return {
    ...(preamble ? { instructions: [textPart(preamble)] } : {}),
    messages: [
      ...before,
      ...(asString(message) ? [{ role: 'user', parts: [textPart(message)] }] : []),
      ...(results.length > 0 ? [{ role: 'tool', parts: resultsOf(results) }] : []),
    ],
    tools,
  }
}

export function answerOf({ text, generationId, responseId, finishReason, toolCalls, meta }: Fields): ResponseContent {
  const finish_reason = asName(finishReason)
  const parts = partsOf({ message: text, toolCalls })
  return {
    id: asName(responseId ?? generationId),
    finishReasons: finish_reason ? [finish_reason] : [],
    messages: parts.length > 0 ? [{ role: 'assistant', parts, ...defined({ finish_reason }) }] : [],
    usage: usageOf(meta),
  }
}

function messageOf(said: Fields): Message {
  const role = asName(said.role) ?? 'USER'
  return { role: entryOf(ROLES, role) ?? role, parts: [...partsOf(said), ...resultsOf(asArray(said.toolResults))] }
}

function partsOf({ message, toolCalls }: Fields): Part[] {
  const calls = asArray(toolCalls).map((call) =>
    toolCallPart(undefined, asRecord(call).name, asRecord(call).parameters),
  )
  return [...(asString(message) ? [textPart(message)] : []), ...calls]
}

/** An answer repeats the call that it is one to. */
function resultsOf(results: readonly unknown[]): Part[] {
  return results.map((result) => {
    const { call, outputs } = asRecord(result)
    return toolAnswerPart(undefined, outputs, asRecord(call).name)
  })
}
