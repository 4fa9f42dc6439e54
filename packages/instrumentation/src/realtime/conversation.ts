import { truncated } from '../gen-ai/bounded-json.ts'
import { TextBudget } from '../gen-ai/buffers.ts'
import type { Message, Part } from '../gen-ai/content.ts'
import { textPart } from '../gen-ai/parts.ts'
import { asString } from '../gen-ai/read.ts'

/** Most messages of one input. */
const LIMIT = 128

/** Messages in order of arrival, limited in number and size. */
export class SessionConversation {
  readonly #messages = new Map<unknown, Message>()
  readonly #budget = new TextBudget()

  get messages(): readonly Message[] {
    return [...this.#messages.values()].filter(({ parts }) => parts.length > 0)
  }

  put(id: unknown, message: Message): void {
    if (this.#messages.size >= LIMIT && !this.#messages.has(id)) return
    this.#messages.set(id, { ...message, parts: message.parts.map((part) => this.#bounded(part)) })
  }

  /** Appends a piece of a transcript. */
  append(id: unknown, role: string, piece: string): void {
    if (this.#budget.remaining === 0) return
    const before = this.#messages.get(id)?.parts[0]?.content
    const accepted = this.#bounded(textPart(piece)).content
    if (before === undefined && this.#messages.size >= LIMIT) return
    this.#messages.set(id, { role, parts: [textPart(`${before ?? ''}${accepted}`)] })
  }

  /** Replaces the audio of a message by its transcript. Does nothing if there is no such message. */
  transcribe(id: unknown, transcript: unknown): void {
    const existing = this.#messages.get(id)
    if (!existing) return
    const parts = existing.parts.filter(({ type }) => type !== 'blob')
    this.put(id, { ...existing, parts: [...parts, transcriptPart(transcript)] })
  }

  delete(id: unknown): void {
    this.#messages.delete(id)
  }

  /** Shortens a part to the budget: text is cut, other parts are replaced by a note. */
  #bounded(part: Part): Part {
    const size = Object.values(part).reduce<number>((sum, value) => sum + (asString(value)?.length ?? 0), 0)
    const { remaining } = this.#budget
    this.#budget.remaining = Math.max(0, remaining - size)
    if (size <= remaining) return part
    const content = part.type === 'text' ? (asString(part.content) ?? '') : ''
    return textPart(
      content.slice(0, remaining) + truncated(`${size - Math.min(remaining, content.length)} more characters`),
    )
  }
}

/** Returns a part for spoken content: its transcript if known, else a placeholder for audio. */
export function transcriptPart(transcript: unknown): Part {
  return asString(transcript) ? textPart(transcript) : { type: 'blob', modality: 'audio' }
}
