import { reasoningPart, textPart, toolAnswerPart, toolCallPart } from '../calls/parts.ts'
import { defined, type Fields, fieldsOf, listOf, nameOf, numberOf, textOf } from '../calls/read.ts'
import type { Answer, Message, Part } from '../calls/result.ts'

export function messageOf({ role, content, thinking, tool_calls, images, tool_name }: Fields): Message {
  if (role === 'tool') return { role, parts: [toolAnswerPart(undefined, content, tool_name)] }
  const calls = listOf(tool_calls).map((call) => {
    const { name, arguments: input } = fieldsOf(fieldsOf(call).function)
    return toolCallPart(fieldsOf(call).id, name, input)
  })
  const said = textOf(content) ? [textPart(content)] : []
  const parts = [...reasoningPart(thinking), ...said, ...picturesOf(images), ...calls]
  return { role: nameOf(role) ?? 'user', parts }
}

/** They come as bytes, which are not recorded. */
export function picturesOf(images: unknown): Part[] {
  return listOf(images).map(() => ({ type: 'blob', modality: 'image' }))
}

/** An answer of `chat`, or of `generate`, which has no message. */
export function answerOf(response: Fields): Answer {
  const { model, message, response: text, thinking, done_reason } = response
  const finish_reason = nameOf(done_reason)
  const said = messageOf(message ? fieldsOf(message) : { content: text, thinking })
  return {
    model: nameOf(model),
    finishReasons: finish_reason ? [finish_reason] : [],
    messages: said.parts.length > 0 ? [{ ...said, role: 'assistant', ...defined({ finish_reason }) }] : [],
    usage: usageOf(response),
  }
}

export function usageOf({ prompt_eval_count, eval_count }: Fields) {
  return { input: numberOf(prompt_eval_count), output: numberOf(eval_count) }
}
