import type { RequestContent, ResponseContent } from '../gen-ai/content.ts'
import { textPart } from '../gen-ai/parts.ts'
import { asArray, asName, asRecord, defined, type Fields } from '../gen-ai/read.ts'
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
  listen: (read = responseAnswer) => responseListener(read),
}

function question({ instructions, input, tools }: Fields): RequestContent {
  const messages = asArray(input).map(messageOfItem)
  return {
    ...(instructions ? { instructions: [textPart(instructions)] } : {}),
    ...(messages.length > 0 ? { messages: messages.filter(({ parts }) => parts.length > 0) } : {}),
    tools,
  }
}

function responseAnswer({ id, model, status, incomplete_details, output, usage, error }: Fields): ResponseContent {
  const finish = asName(asRecord(incomplete_details).reason) ?? asName(status)
  const parts = asArray(output).flatMap((item) => messageOfItem(item).parts)
  return {
    id: asName(id),
    model: asName(model),
    finishReasons: finish ? [finish] : [],
    messages: parts.length > 0 ? [{ role: 'assistant', parts, ...defined({ finish_reason: finish }) }] : [],
    usage: usageOf(usage),
    failure: status === 'failed' ? failureOf(asRecord(error)) : undefined,
  }
}
