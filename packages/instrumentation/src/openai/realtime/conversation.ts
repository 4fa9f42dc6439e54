import { truncated } from '../../gen-ai/bounded-json.ts'
import { TextBudget } from '../../gen-ai/buffers.ts'
import type { Message, Part } from '../../gen-ai/content.ts'
import { textPart } from '../../gen-ai/parts.ts'
import { asRecord, asString, type Fields } from '../../gen-ai/read.ts'
import { messageOfSessionItem, spokenPart } from './items.ts'

/** Messages that are held for one input. */
const LIMIT = 128

/** Messages in the order of arrival, of which only so much is kept. */
export class Conversation {
  readonly #messages = new Map<unknown, Message>()
  readonly #room = new TextBudget()

  /** @param items of a request, in the place of those that have arrived */
  constructor(items: readonly unknown[] = []) {
    for (const [at, item] of items.entries()) if (asRecord(item).type !== 'item_reference') this.add(at, asRecord(item))
  }

  get messages(): readonly Message[] {
    return [...this.#messages.values()].filter(({ parts }) => parts.length > 0)
  }

  add(id: unknown, item: Fields): void {
    this.put(id, messageOfSessionItem(item))
  }

  put(id: unknown, message: Message): void {
    if (this.#messages.size >= LIMIT && !this.#messages.has(id)) return
    this.#messages.set(id, { ...message, parts: message.parts.map((part) => this.#bounded(part)) })
  }

  /** What was spoken has become known as text. Returns false where no such item is held. */
  transcribe(id: unknown, transcript: unknown): boolean {
    const known = this.#messages.get(id)
    if (!known) return false
    const parts = known.parts.filter(({ type }) => type !== 'blob')
    this.put(id, { ...known, parts: [...parts, spokenPart(transcript)] })
    return true
  }

  delete(id: unknown): void {
    this.#messages.delete(id)
  }

  /** Texts as far as there is room; what is no text, whole or by its name. */
  #bounded(part: Part): Part {
    const size = Object.values(part).reduce<number>((sum, value) => sum + (asString(value)?.length ?? 0), 0)
    const { left } = this.#room
    this.#room.left = Math.max(0, left - size)
    if (size <= left) return part
    const content = part.type === 'text' ? (asString(part.content) ?? '') : ''
    return textPart(content.slice(0, left) + truncated(`${size - Math.min(left, content.length)} more characters`))
  }
}
