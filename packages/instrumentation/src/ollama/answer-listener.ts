import type { Listener } from '../calls/call.ts'
import { PiecedText, TextRoom } from '../calls/pieces.ts'
import { type Fields, fieldsOf, listOf } from '../calls/read.ts'
import type { Answer } from '../calls/result.ts'
import { answerOf } from './messages.ts'

/** Tool calls of one answer beyond which no more are kept. */
const CALL_LIMIT = 128

/** Puts the lines of a streamed answer together; tool calls come whole. */
export class AnswerListener implements Listener {
  readonly #room = new TextRoom()
  readonly #content = new PiecedText(this.#room)
  readonly #thinking = new PiecedText(this.#room)
  readonly #calls: unknown[] = []
  #last: Fields = {}

  add(item: unknown): boolean {
    const line = fieldsOf(item)
    this.#last = line
    // `generate` has no message, and says the same directly.
    const { content, thinking, tool_calls } = line.message
      ? fieldsOf(line.message)
      : { ...line, content: line.response }
    const thought = this.#thinking.add(thinking)
    const said = this.#content.add(content)
    const calls = listOf(tool_calls)
    if (this.#calls.length < CALL_LIMIT) this.#calls.push(...calls)
    return thought || said || calls.length > 0
  }

  get complete(): boolean {
    return this.#last.done === true
  }

  get answer(): Answer {
    const message = { content: this.#content.text, thinking: this.#thinking.text, tool_calls: this.#calls }
    return answerOf({ ...this.#last, message })
  }
}
