import type { Listener } from '../calls/call.ts'
import { PiecedText, TextRoom } from '../calls/pieces.ts'
import { type Fields, fieldsOf } from '../calls/read.ts'
import type { Answer } from '../calls/result.ts'
import { answerOf } from './messages.ts'

/** Puts the events of a streamed chat together; the last one repeats the whole answer. */
export class ChatListener implements Listener {
  readonly #text = new PiecedText(new TextRoom())
  #begun: Fields = {}
  #calls: unknown
  #end: Fields | undefined

  add(item: unknown): boolean {
    const event = fieldsOf(item)
    switch (event.eventType) {
      case 'stream-start':
        this.#begun = event
        return false
      case 'text-generation':
        return this.#text.add(event.text)
      case 'tool-calls-generation':
        this.#calls = event.toolCalls
        return true
      case 'stream-end':
        this.#end = { ...fieldsOf(event.response), finishReason: event.finishReason }
    }
    return false
  }

  get complete(): boolean {
    return this.#end !== undefined
  }

  get answer(): Answer {
    const { generationId } = this.#begun
    return answerOf({ generationId, ...this.#end, text: this.#text.text, toolCalls: this.#calls })
  }
}
