import { byType, type Stream } from '../calls/accumulator.ts'
import { list, object, text } from '../calls/merge.ts'
import { textPart } from '../calls/parts.ts'
import { defined, type Fields, fieldsOf, listOf, nameOf } from '../calls/read.ts'
import type { Answer, Question } from '../calls/result.ts'
import { usageOf } from '../cohere/messages.ts'

/** One text in, others out. */
export function generateQuestion({ prompt }: Fields): Question {
  return { messages: [{ role: 'user', parts: [textPart(prompt)] }] }
}

export function generateAnswer({ id, generations, meta }: Fields): Answer {
  const messages = listOf(generations).map((one) => {
    // Fields that a version does not know yet keep the name they have on the wire.
    const { text, finish_reason, finishReason = finish_reason } = fieldsOf(one)
    return { role: 'assistant', parts: [textPart(text)], ...defined({ finish_reason: nameOf(finishReason) }) }
  })
  return {
    id: nameOf(id),
    finishReasons: messages.flatMap(({ finish_reason }) => finish_reason ?? []),
    messages,
    usage: usageOf(meta),
  }
}

/** Streamed completions. The last event says how each ended, and nothing of tokens. */
export const generateStream: Stream = {
  delta: byType('eventType', {
    'text-generation': ({ index, text }) => ({ generations: [{ index, text }] }),
    'stream-end': ({ response }) => ({ end: fieldsOf(response) }),
  }),
  table: { generations: list({ text }), end: object },
  complete: ({ end }) => end !== undefined,
  answer({ generations, end }) {
    const ended = listOf(fieldsOf(end).generations).map(fieldsOf)
    const texts = listOf(generations).map((said, at) => ({ ...ended[at], text: fieldsOf(said).text }))
    return generateAnswer({ ...fieldsOf(end), generations: texts })
  },
}
