import { textPart, toolAnswerPart, toolCallPart } from '../calls/parts.ts'
import { defined, entryOf, type Fields, fieldsOf, listOf, nameOf, textOf } from '../calls/read.ts'
import type { Answer, Message, Part, Question } from '../calls/result.ts'
import { usageOf } from '../cohere/messages.ts'

const ROLES: Readonly<Record<string, string>> = { CHATBOT: 'assistant', SYSTEM: 'system', TOOL: 'tool', USER: 'user' }

/** One message, what was said before it, and what tools have answered, each in a field of its own. */
export function questionOf({ preamble, chatHistory, message, toolResults, tools }: Fields): Question {
  const before = listOf(chatHistory).map((said) => messageOf(fieldsOf(said)))
  const results = listOf(toolResults)
  return {
    ...(preamble ? { instructions: [textPart(preamble)] } : {}),
    messages: [
      ...before,
      ...(textOf(message) ? [{ role: 'user', parts: [textPart(message)] }] : []),
      ...(results.length > 0 ? [{ role: 'tool', parts: resultsOf(results) }] : []),
    ],
    tools,
  }
}

export function answerOf({ text, generationId, responseId, finishReason, toolCalls, meta }: Fields): Answer {
  const finish_reason = nameOf(finishReason)
  const parts = partsOf({ message: text, toolCalls })
  return {
    id: nameOf(responseId ?? generationId),
    finishReasons: finish_reason ? [finish_reason] : [],
    messages: parts.length > 0 ? [{ role: 'assistant', parts, ...defined({ finish_reason }) }] : [],
    usage: usageOf(meta),
  }
}

function messageOf(said: Fields): Message {
  const role = nameOf(said.role) ?? 'USER'
  return { role: entryOf(ROLES, role) ?? role, parts: [...partsOf(said), ...resultsOf(listOf(said.toolResults))] }
}

function partsOf({ message, toolCalls }: Fields): Part[] {
  const calls = listOf(toolCalls).map((call) => toolCallPart(undefined, fieldsOf(call).name, fieldsOf(call).parameters))
  return [...(textOf(message) ? [textPart(message)] : []), ...calls]
}

/** An answer repeats the call that it is one to. */
function resultsOf(results: readonly unknown[]): Part[] {
  return results.map((result) => {
    const { call, outputs } = fieldsOf(result)
    return toolAnswerPart(undefined, outputs, fieldsOf(call).name)
  })
}
