import { Accumulator, type Stream } from '../calls/accumulator.ts'
import { last, list, text } from '../calls/merge.ts'
import { textPart } from '../calls/parts.ts'
import { defined, type Fields, fieldsOf, listOf, nameOf } from '../calls/read.ts'
import type { Answer } from '../calls/result.ts'
import { textQuestion } from '../calls/text-question.ts'
import type { Operation } from '../stainless/operation.ts'
import { HEAD, isFinished } from './chat-stream.ts'
import { parametersOf } from './parameters.ts'
import { usageOf } from './usage.ts'

/** `completions.create`: one text in, another out. */
export const completions: Operation = {
  name: 'text_completion',
  path: /(?<!\/chat)\/completions$/,
  parameters: parametersOf,
  question: ({ prompt }) => textQuestion(prompt),
  answer,
  listen: () => new Accumulator(CHUNKS),
}

function answer({ id, model, choices, usage }: Fields): Answer {
  const messages = listOf(choices).map((choice) => {
    const { text, finish_reason } = fieldsOf(choice)
    return { role: 'assistant', parts: [textPart(text)], ...defined({ finish_reason: nameOf(finish_reason) }) }
  })
  return {
    id: nameOf(id),
    model: nameOf(model),
    finishReasons: messages.flatMap(({ finish_reason }) => finish_reason ?? []),
    messages,
    usage: usageOf(usage),
  }
}

const CHUNKS: Stream = {
  table: { ...HEAD, choices: list({ text, finish_reason: last }) },
  complete: isFinished,
  answer: (whole) =>
    // Also of a choice that said nothing it is known that it is a text.
    answer({ ...whole, choices: listOf(whole.choices).map((choice) => ({ text: '', ...fieldsOf(choice) })) }),
}
