import { reasoningPart, toolCallPart } from '../calls/parts.ts'
import { defined, type Fields, fieldsOf, isObject, listOf, nameOf, textOf } from '../calls/read.ts'
import type { Answer, Message, Part, Question } from '../calls/result.ts'
import type { Operation } from '../stainless/operation.ts'
import { chatListener } from './chat-stream.ts'
import { failureOf } from './failure.ts'
import { parametersOf } from './parameters.ts'
import { answerPart, partsOf } from './parts.ts'
import { usageOf } from './usage.ts'

/** `chat.completions`: `create`, `parse`, `stream` and `runTools` all post here. */
export const chat: Operation = {
  name: 'chat',
  path: /\/chat\/completions$/,
  parameters: parametersOf,
  question,
  answer: chatAnswer,
  listen: () => chatListener(chatAnswer),
}

function question(body: Fields): Question {
  const messages = listOf(body.messages).map((message) => messageOf(fieldsOf(message)))
  return { ...(messages.length > 0 ? { messages } : {}), tools: body.tools ?? body.functions }
}

function chatAnswer({ id, model, choices, usage, error }: Fields): Answer {
  const messages = listOf(choices).map((choice) => choiceOf(fieldsOf(choice)))
  return {
    id: nameOf(id),
    model: nameOf(model),
    finishReasons: messages.flatMap(({ finish_reason }) => finish_reason ?? []),
    messages,
    usage: usageOf(usage),
    // Gateways answer 200 when the provider behind them failed.
    failure: isObject(error) && messages.length === 0 ? failureOf(error) : undefined,
  }
}

function choiceOf({ message, delta, finish_reason }: Fields): Message {
  const said = messageOf({ role: 'assistant', ...fieldsOf(message ?? delta) })
  return { ...said, ...defined({ finish_reason: nameOf(finish_reason) }) }
}

function messageOf(message: Fields): Message {
  const role = nameOf(message.role) ?? 'user'
  const name = defined({ name: nameOf(message.name) })
  if (role === 'tool' || role === 'function') {
    const { tool_call_id, content, tool_name } = message
    return { role: 'tool', ...name, parts: [answerPart(tool_call_id, content, tool_name)] }
  }
  return { role, ...name, parts: [...reasoningOf(message), ...partsOf(message.content), ...callsOf(message)] }
}

/** Not part of OpenAI's own API, but of several that are compatible with it. */
function reasoningOf({ reasoning_content, reasoning }: Fields): Part[] {
  return reasoningPart(reasoning_content ?? reasoning)
}

function callsOf({ refusal, audio, tool_calls, function_call }: Fields): Part[] {
  const { id, transcript } = fieldsOf(audio)
  const calls = listOf(tool_calls).map((call) => {
    const { id, function: called, custom } = fieldsOf(call)
    const { name, arguments: input, input: text } = fieldsOf(called ?? custom)
    return toolCallPart(id, name, input ?? text)
  })
  const former = fieldsOf(function_call)
  return [
    ...(textOf(refusal) ? [{ type: 'refusal', content: refusal }] : []),
    // The sound itself is not recorded.
    ...(audio ? [defined({ type: 'audio', id, transcript })] : []),
    ...calls,
    ...(function_call ? [toolCallPart(undefined, former.name, former.arguments)] : []),
  ]
}
