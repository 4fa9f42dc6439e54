import { byType, type Stream } from '../../gen-ai/accumulator.ts'
import type { RequestContent, ResponseContent } from '../../gen-ai/content.ts'
import { list, object, text } from '../../gen-ai/merge.ts'
import { textPart } from '../../gen-ai/parts.ts'
import { asArray, asName, asRecord, defined, type Fields } from '../../gen-ai/read.ts'
import { usageOf } from '../messages.ts'

/** One text in, others out. */
export function generateQuestion({ prompt }: Fields): RequestContent {
  return { messages: [{ role: 'user', parts: [textPart(prompt)] }] }
}

export function generateAnswer({ id, generations, meta }: Fields): ResponseContent {
  const messages = asArray(generations).map((one) => {
    // Fields that a version does not know yet keep the name they have on the wire.
    const { text, finish_reason, finishReason = finish_reason } = asRecord(one)
    return { role: 'assistant', parts: [textPart(text)], ...defined({ finish_reason: asName(finishReason) }) }
  })
  return {
    id: asName(id),
    finishReasons: messages.flatMap(({ finish_reason }) => finish_reason ?? []),
    messages,
    usage: usageOf(meta),
  }
}

/** Streamed completions. The last event says how each ended, and nothing of tokens. */
export const generateStream: Stream = {
  delta: byType('eventType', {
    'text-generation': ({ index, text }) => ({ generations: [{ index, text }] }),
    'stream-end': ({ response }) => ({ end: asRecord(response) }),
  }),
  table: { generations: list({ text }), end: object },
  complete: ({ end }) => end !== undefined,
  answer({ generations, end }) {
    const ended = asArray(asRecord(end).generations).map(asRecord)
    const texts = asArray(generations).map((said, at) => ({ ...ended[at], text: asRecord(said).text }))
    return generateAnswer({ ...asRecord(end), generations: texts })
  },
}
