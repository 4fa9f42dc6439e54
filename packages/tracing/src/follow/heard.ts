import { toMetadataText } from '@svc/core/json'

/** Most characters that are kept of what a result brought piece by piece. */
export const TEXT_LIMIT = 1_000_000
/** Most pieces that are kept. Pieces of text are joined and do not count. */
export const ITEM_LIMIT = 10_000

/**
 * What a result brought piece by piece, within bounds: pieces of text (and bytes, read as UTF-8) make one text, other
 * pieces a list. Each piece is encoded when it comes, because the application may change it afterwards.
 */
export class Heard {
  readonly #decoder = new TextDecoder()
  #text = ''
  #items: string[] | undefined
  #room = TEXT_LIMIT
  #skipped = 0

  add(piece: unknown): void {
    const text = this.#textOf(piece)
    if (text !== undefined && !this.#items) {
      this.#addText(text)
      return
    }
    if (!this.#items) this.#becomeList()
    this.#addItem(text ?? piece)
  }

  /** The text of the output; undefined when nothing came. */
  get output(): string | undefined {
    const missing = (what: string) => (this.#skipped > 0 ? `[truncated by svc: ${this.#skipped} more ${what}]` : '')
    if (!this.#items) return this.#text + missing('characters') || undefined
    const rest = missing('items')
    return `[${[...this.#items, ...(rest ? [JSON.stringify(rest)] : [])].join(',')}]`
  }

  #becomeList(): void {
    this.#items = []
    this.#room = TEXT_LIMIT
    if (this.#text !== '') this.#addItem(this.#text)
  }

  #addText(text: string): void {
    const kept = text.slice(0, this.#room)
    this.#text += kept
    this.#room -= kept.length
    this.#skipped += text.length - kept.length
  }

  #addItem(item: unknown): void {
    const json = this.#room > 0 ? (toMetadataText(item) ?? 'null') : ''
    if (this.#items && json !== '' && json.length <= this.#room && this.#items.length < ITEM_LIMIT) {
      this.#items.push(json)
      this.#room -= json.length
    } else {
      this.#skipped += 1
      // No gaps: what comes after something that is missing is missing, too.
      this.#room = 0
    }
  }

  #textOf(piece: unknown): string | undefined {
    if (typeof piece === 'string') return piece
    return piece instanceof Uint8Array ? this.#decoder.decode(piece, { stream: true }) : undefined
  }
}
