import type { Listener } from '../calls/call.ts'
import { textPart } from '../calls/parts.ts'
import { PiecedList, PiecedText, TextRoom } from '../calls/pieces.ts'
import { defined, type Fields, fieldsOf, listOf, nameOf, numberOf } from '../calls/read.ts'
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

/** Puts streamed completions together. The last event says how each ended, and nothing of tokens. */
export class GenerateListener implements Listener {
  readonly #room = new TextRoom()
  readonly #texts = new PiecedList(() => new PiecedText(this.#room))
  #end: Fields | undefined

  add(item: unknown): boolean {
    const { eventType, index, text, response } = fieldsOf(item)
    if (eventType === 'stream-end') this.#end = fieldsOf(response)
    return eventType === 'text-generation' && (this.#texts.at(numberOf(index) ?? 0)?.add(text) ?? false)
  }

  get complete(): boolean {
    return this.#end !== undefined
  }

  get answer(): Answer {
    const ended = listOf(this.#end?.generations).map(fieldsOf)
    const generations = this.#texts.all.map(({ text }, at) => ({ ...ended[at], text }))
    return generateAnswer({ ...this.#end, generations })
  }
}
