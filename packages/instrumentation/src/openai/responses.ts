import { textPart } from '../calls/parts.ts'
import { defined, type Fields, fieldsOf, listOf, nameOf } from '../calls/read.ts'
import type { Answer, Question } from '../calls/result.ts'
import type { Operation } from '../stainless/operation.ts'
import { failureOf } from './failure.ts'
import { parametersOf } from './parameters.ts'
import { messageOfItem } from './response-items.ts'
import { responseListener } from './response-stream.ts'
import { usageOf } from './usage.ts'

/** `responses`: `create`, `parse` and `stream` all post to one place, `compact` to another. */
export const responses: Operation = {
  name: 'chat',
  path: /\/responses(\/compact)?$/,
  parameters: parametersOf,
  question,
  answer: responseAnswer,
  listen: () => responseListener(responseAnswer),
}

function question({ instructions, input, tools }: Fields): Question {
  const messages = listOf(input).map(messageOfItem)
  return {
    ...(instructions ? { instructions: [textPart(instructions)] } : {}),
    ...(messages.length > 0 ? { messages: messages.filter(({ parts }) => parts.length > 0) } : {}),
    tools,
  }
}

function responseAnswer({ id, model, status, incomplete_details, output, usage, error }: Fields): Answer {
  const finish = nameOf(fieldsOf(incomplete_details).reason) ?? nameOf(status)
  const parts = listOf(output).flatMap((item) => messageOfItem(item).parts)
  return {
    id: nameOf(id),
    model: nameOf(model),
    finishReasons: finish ? [finish] : [],
    messages: parts.length > 0 ? [{ role: 'assistant', parts, ...defined({ finish_reason: finish }) }] : [],
    usage: usageOf(usage),
    failure: status === 'failed' ? failureOf(fieldsOf(error)) : undefined,
  }
}
