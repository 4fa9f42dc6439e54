import { boundedJson, bytesOf, charactersIn, truncated } from '@svc/core/bounded-json'
import { contentMaxBytes } from '@svc/core/content-limit'

/** Maximum bytes collected from the chunks of a result, even if `SVC_CONTENT_MAX_BYTES` is higher. */
export const TEXT_LIMIT = 1_000_000
/** Maximum number of chunks that are kept. Chunks of text are joined and do not count. */
export const ITEM_LIMIT = 10_000

/**
 * Collects the chunks of a result up to a limit: chunks of text (and bytes in UTF-8) are joined to one string, others
 * become a list. Bytes that are not text are only counted. Each chunk is encoded on arrival, because the application
 * may change it afterwards.
 */
export class CollectedOutput {
  /** Made for the first bytes: jsdom has no `TextDecoder`. */
  #decoder: InstanceType<typeof TextDecoder> | undefined
  readonly #limit = Math.min(TEXT_LIMIT, contentMaxBytes())
  #text = ''
  #items: string[] | undefined
  #remaining = this.#limit
  #skipped = 0
  /** Bytes so far, and whether they are not text. */
  #bytes = 0
  #isBinary = false

  add(piece: unknown): void {
    const text = this.#read(piece)
    if (this.#isBinary) return
    if (text !== undefined && !this.#items) {
      this.#addText(text)
      return
    }
    if (!this.#items) this.#becomeList()
    this.#addItem(text ?? piece)
  }

  /** The output as text; undefined if there was no chunk. */
  get output(): string | undefined {
    if (this.#isBinary) return `[${this.#bytes} bytes]`
    const pieces = this.#items ? 'items' : 'characters'
    const rest = this.#skipped > 0 ? truncated(`${this.#skipped} more ${pieces}`) : ''
    if (!this.#items) return this.#text + rest || undefined
    return `[${[...this.#items, ...(rest ? [JSON.stringify(rest)] : [])].join(',')}]`
  }

  #becomeList(): void {
    this.#items = []
    this.#remaining = this.#limit
    if (this.#text !== '') this.#addItem(this.#text)
  }

  #addText(text: string): void {
    const bytes = text.length > this.#remaining ? text.length : bytesOf(text)
    const isWhole = bytes <= this.#remaining
    const kept = isWhole ? text : text.slice(0, charactersIn(text, this.#remaining))
    this.#text += kept
    this.#remaining = isWhole ? this.#remaining - bytes : 0
    this.#skipped += text.length - kept.length
  }

  #addItem(item: unknown): void {
    const json = this.#remaining > 0 ? (boundedJson(item, this.#remaining) ?? 'null') : ''
    if (this.#items && json !== '' && json.length <= this.#remaining && this.#items.length < ITEM_LIMIT) {
      this.#items.push(json)
      this.#remaining -= json.length
    } else {
      this.#skipped += 1
      // The output has no gaps: everything after the first skipped item is skipped.
      this.#remaining = 0
    }
  }

  #read(piece: unknown): string | undefined {
    if (typeof piece === 'string') return piece
    if (!(piece instanceof Uint8Array)) return undefined
    this.#bytes += piece.byteLength
    if (this.#isBinary || this.#items) return undefined
    try {
      this.#decoder ??= new TextDecoder('utf-8', { fatal: true })
      return this.#decoder.decode(piece, { stream: true })
    } catch {
      this.#isBinary = true
      return undefined
    }
  }
}
