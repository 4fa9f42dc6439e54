import type { Listener } from '../calls/call.ts'
import { PiecedList, PiecedText, TextRoom } from '../calls/pieces.ts'
import { type Fields, fieldsOf, listOf, numberOf, textOf } from '../calls/read.ts'
import type { Answer } from '../calls/result.ts'
import { contentAnswer } from './generate.ts'

/** Parts of one candidate beyond which no more are kept. */
const PART_LIMIT = 1_000

/** Puts streamed contents together: texts that follow each other are one text. */
export class ContentListener implements Listener {
  readonly #room = new TextRoom()
  readonly #candidates = new PiecedList(() => new Candidate(this.#room))
  #last: Fields = {}

  add(item: unknown): boolean {
    const chunk = fieldsOf(item)
    this.#last = chunk
    let said = false
    for (const found of listOf(chunk.candidates)) {
      const candidate = fieldsOf(found)
      said = this.#candidates.at(numberOf(candidate.index) ?? 0)?.add(candidate) || said
    }
    return said
  }

  get complete(): boolean {
    const candidates = this.#candidates.all
    return candidates.length > 0 && candidates.every(({ finish }) => finish !== undefined)
  }

  get answer(): Answer {
    const candidates = this.#candidates.all.map(({ whole }) => whole)
    const { usageMetadata, modelVersion, responseId, promptFeedback } = this.#last
    return contentAnswer({ usageMetadata, modelVersion, responseId, promptFeedback, candidates })
  }
}

class Candidate {
  finish: unknown
  readonly #room: TextRoom
  readonly #parts: (Fields | Text)[] = []

  constructor(room: TextRoom) {
    this.#room = room
  }

  /** True when it brings something. */
  add({ content, finishReason }: Fields): boolean {
    if (finishReason) this.finish = finishReason
    const parts = listOf(fieldsOf(content).parts)
    for (const part of parts) this.#addPart(fieldsOf(part))
    return parts.length > 0
  }

  get whole(): Fields {
    const parts = this.#parts.map((part) => (part instanceof Text ? part.whole : part))
    return { content: { role: 'model', parts }, finishReason: this.finish }
  }

  #addPart(part: Fields): void {
    if (textOf(part.text) === undefined) {
      if (this.#parts.length < PART_LIMIT) this.#parts.push(part)
      return
    }
    const thought = part.thought === true
    const last = this.#parts.at(-1)
    const text = last instanceof Text && last.thought === thought ? last : new Text(thought, this.#room)
    text.pieces.add(part.text)
    if (text !== last && this.#parts.length < PART_LIMIT) this.#parts.push(text)
  }
}

class Text {
  readonly thought: boolean
  readonly pieces: PiecedText

  constructor(thought: boolean, room: TextRoom) {
    this.thought = thought
    this.pieces = new PiecedText(room)
  }

  get whole(): Fields {
    return { thought: this.thought, text: this.pieces.text ?? '' }
  }
}
