import type { Listener } from '../calls/call.ts'
import { parsedJson } from '../calls/parts.ts'
import { PiecedList, PiecedText, TextRoom } from '../calls/pieces.ts'
import { type Fields, fieldsOf, numberOf } from '../calls/read.ts'
import type { Answer } from '../calls/result.ts'
import { converseAnswer } from './messages.ts'

/** Puts the events of a `ConverseStreamCommand` together. */
export class StreamListener implements Listener {
  readonly #room = new TextRoom()
  readonly #blocks = new PiecedList(() => new Block(this.#room))
  #role: unknown
  #stopReason: unknown
  #usage: unknown

  add(item: unknown): boolean {
    const { messageStart, contentBlockStart, contentBlockDelta, messageStop, metadata } = fieldsOf(item)
    if (messageStart) this.#role = fieldsOf(messageStart).role
    if (messageStop) this.#stopReason = fieldsOf(messageStop).stopReason
    if (metadata) this.#usage = fieldsOf(metadata).usage
    const { contentBlockIndex, start, delta } = fieldsOf(contentBlockStart ?? contentBlockDelta)
    const block = start || delta ? this.#blocks.at(numberOf(contentBlockIndex) ?? 0) : undefined
    if (start) block?.begin(fieldsOf(start))
    return delta ? (block?.add(fieldsOf(delta)) ?? false) : false
  }

  /** The counts come after everything else. */
  get complete(): boolean {
    return this.#stopReason !== undefined
  }

  get answer(): Answer {
    const content = this.#blocks.all.flatMap((block) => block.content)
    const output = { message: { role: this.#role, content } }
    return converseAnswer({ output, stopReason: this.#stopReason, usage: this.#usage })
  }
}

class Block {
  readonly #text: PiecedText
  readonly #thought: PiecedText
  readonly #input: PiecedText
  #toolUse: Fields | undefined

  constructor(room: TextRoom) {
    this.#text = new PiecedText(room)
    this.#thought = new PiecedText(room)
    this.#input = new PiecedText(room)
  }

  begin({ toolUse }: Fields): void {
    if (toolUse) this.#toolUse = fieldsOf(toolUse)
  }

  add({ text, toolUse, reasoningContent }: Fields): boolean {
    const added = [
      this.#text.add(text),
      this.#thought.add(fieldsOf(reasoningContent).text),
      this.#input.add(fieldsOf(toolUse).input),
    ]
    return added.includes(true)
  }

  get content(): Fields[] {
    if (this.#toolUse) return [{ toolUse: { ...this.#toolUse, input: parsedJson(this.#input.text ?? '{}') } }]
    const { text: thought } = this.#thought
    const { text } = this.#text
    return [
      ...(thought === undefined ? [] : [{ reasoningContent: { reasoningText: { text: thought } } }]),
      ...(text === undefined ? [] : [{ text }]),
    ]
  }
}
