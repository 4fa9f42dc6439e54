import type { Listener } from '../calls/call.ts'
import { parsedJson } from '../calls/parts.ts'
import { PiecedList, PiecedText, TextRoom } from '../calls/pieces.ts'
import { defined, type Fields, fieldsOf, numberOf, textOf } from '../calls/read.ts'
import type { Answer } from '../calls/result.ts'

/** Puts the events of a streamed message together to what it would have been in one piece. */
export class MessageListener implements Listener {
  readonly #read: (message: Fields) => Answer
  readonly #room = new TextRoom()
  readonly #blocks = new PiecedList(() => new Block(this.#room))
  #message: Fields = {}
  complete = false

  constructor(read: (message: Fields) => Answer) {
    this.#read = read
  }

  add(item: unknown): boolean {
    const event = fieldsOf(item)
    switch (event.type) {
      case 'message_start':
        this.#message = fieldsOf(event.message)
        return false
      case 'content_block_start':
        this.#blockOf(event)?.begin(fieldsOf(event.content_block))
        return false
      case 'content_block_delta':
        return this.#blockOf(event)?.add(fieldsOf(event.delta)) ?? false
      case 'message_delta':
        this.#finish(fieldsOf(event.delta), fieldsOf(event.usage))
        return false
      case 'message_stop':
        this.complete = true
    }
    return false
  }

  get answer(): Answer {
    return this.#read({ ...this.#message, content: this.#blocks.all.flatMap(({ whole }) => whole ?? []) })
  }

  #blockOf({ index }: Fields): Block | undefined {
    return this.#blocks.at(numberOf(index) ?? 0)
  }

  /** The usage at the end is about the output; some servers repeat all of it. */
  #finish(delta: Fields, usage: Fields): void {
    const counted = Object.fromEntries(Object.entries(usage).filter(([, count]) => count !== null))
    const whole = { ...fieldsOf(this.#message.usage), ...counted }
    this.#message = { ...this.#message, ...defined(delta), usage: whole }
  }
}

class Block {
  #begun: Fields = { type: 'text' }
  readonly #text: PiecedText
  readonly #thinking: PiecedText
  readonly #input: PiecedText

  constructor(room: TextRoom) {
    this.#text = new PiecedText(room)
    this.#thinking = new PiecedText(room)
    this.#input = new PiecedText(room)
  }

  begin(block: Fields): void {
    this.#begun = block
    this.add(block)
  }

  /** True when the delta brings something that was said. */
  add({ text, thinking, partial_json }: Fields): boolean {
    const said = this.#text.add(text)
    return this.#thinking.add(thinking) || this.#input.add(partial_json) || said
  }

  /** Undefined where it was to be a text, and nothing was said. */
  get whole(): Fields | undefined {
    const { type } = this.#begun
    if (type === 'text') return this.#text.text === undefined ? undefined : { ...this.#begun, text: this.#text.text }
    if (type === 'thinking') return { ...this.#begun, thinking: this.#thinking.text }
    const input = textOf(this.#input.text)
    return input === undefined ? this.#begun : { ...this.#begun, input: parsedJson(input) }
  }
}
