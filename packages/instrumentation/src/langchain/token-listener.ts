import { PiecedList, PiecedText, TextRoom } from '../calls/pieces.ts'
import { type Fields, fieldsOf, listOf, numberOf } from '../calls/read.ts'
import { spoken } from './messages.ts'
import type { ModelAnswer } from './spelling.ts'

/** Puts together what a model has said so far, for answers that do not come to their end. */
export class TokenListener {
  readonly #room = new TextRoom()
  readonly #text = new PiecedText(this.#room)
  readonly #calls = new PiecedList(() => new Call(this.#room))

  /** Takes the next token; true when it brings something the model said. */
  add(token: unknown, fields: unknown): boolean {
    const { message } = fieldsOf(fieldsOf(fields).chunk)
    const chunks = listOf(fieldsOf(message).tool_call_chunks)
    // Every chunk is looked at: each is a piece of another call, or of the same.
    const called = chunks.map((chunk) => this.#calls.at(numberOf(fieldsOf(chunk).index) ?? 0)?.add(fieldsOf(chunk)))
    return this.#text.add(token) || called.includes(true)
  }

  get answer(): ModelAnswer {
    const tool_calls = this.#calls.all.map(({ whole }) => whole)
    const said = { type: 'ai', content: this.#text.text ?? '', tool_calls }
    const silent = said.content === '' && tool_calls.length === 0
    return { chat: true, messages: silent ? [] : [spoken(said)], finishReasons: [] }
  }
}

class Call {
  #id: unknown
  #name: unknown
  readonly #args: PiecedText

  constructor(room: TextRoom) {
    this.#args = new PiecedText(room)
  }

  add({ id, name, args }: Fields): boolean {
    this.#id ??= id
    this.#name ??= name
    this.#args.add(args)
    return true
  }

  get whole(): Fields {
    return { id: this.#id, name: this.#name, args: this.#args.text }
  }
}
