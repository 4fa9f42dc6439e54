import { boundedJson, bytesOf, charactersIn, truncated } from '@svc/core/bounded-json'
import { contentMaxBytes } from '@svc/core/content-limit'
import { ON_SERVER } from '@svc/core/on-server'

/** Maximum bytes collected from the chunks of a result, even if `SVC_CONTENT_MAX_BYTES` is higher. */
export const TEXT_LIMIT = 1_000_000
/** Maximum number of chunks that are kept. Chunks of text are joined and do not count. */
export const ITEM_LIMIT = 10_000

/** Most bytes that wait to be decoded: so many that decoding them one chunk at a time would cost more than the copy. */
const WAITING_LIMIT = 16_384
const FIRST_ROOM = 1_024
const NO_BYTES = new Uint8Array(0)

const BYTE_ORDER_MARK = '\ufeff'

let wholeDecoder: InstanceType<typeof TextDecoder> | undefined

/**
 * Decodes bytes that end with a whole character, and keeps nothing between calls, unlike a decoder of streams. Made when
 * first used: jsdom has no `TextDecoder`.
 */
function decodeWhole(piece: Uint8Array): string {
  wholeDecoder ??= createDecoder()
  return wholeDecoder.decode(piece)
}

/** On the edge one decoder reads all pieces of a result, and removes the byte order mark itself. */
const createDecoder = () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: ON_SERVER })

/**
 * Collects the chunks of a result up to a limit: chunks of text (and bytes in UTF-8) are joined to one string, others
 * become a list. Bytes that are not text are only counted. Each chunk is encoded on arrival, because the application
 * may change it afterwards.
 */
export class CollectedOutput {
  /** Made for the first chunk that ends inside a character. */
  #decoder: InstanceType<typeof TextDecoder> | undefined
  readonly #limit = Math.min(TEXT_LIMIT, contentMaxBytes())
  #text = ''
  #items: string[] | undefined
  #remaining = this.#limit
  #skipped = 0
  /** Bytes so far, and whether they are not text. */
  #bytes = 0
  #isBinary = false
  /** Bytes that are still to be decoded: the first `#waitingBytes` of it. */
  #waiting = NO_BYTES
  #waitingBytes = 0

  add(piece: unknown): void {
    // The first piece is decoded at once: mostly there is no other.
    if (ON_SERVER && this.#bytes > 0 && piece instanceof Uint8Array && this.#wait(piece)) return
    if (ON_SERVER) this.#decodeWaiting()
    this.#take(piece)
  }

  #take(piece: unknown): void {
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
    if (ON_SERVER) this.#decodeWaiting()
    if (this.#isBinary) return `[${this.#bytes} bytes]`
    const pieces = this.#items ? 'items' : 'characters'
    const rest = this.#skipped > 0 ? truncated(`${this.#skipped} more ${pieces}`) : ''
    if (!this.#items) return this.#text + rest || undefined
    return `[${[...this.#items, ...(rest ? [JSON.stringify(rest)] : [])].join(',')}]`
  }

  /** @returns whether there is room for it */
  #wait(piece: Uint8Array): boolean {
    const bytes = this.#waitingBytes + piece.length
    if (bytes > WAITING_LIMIT || this.#isBinary || this.#items) return false
    if (bytes > this.#waiting.length) {
      const larger = new Uint8Array(Math.max(FIRST_ROOM, Math.min(2 * bytes, WAITING_LIMIT)))
      larger.set(this.#waiting)
      this.#waiting = larger
    }
    this.#waiting.set(piece, this.#waitingBytes)
    this.#waitingBytes = bytes
    return true
  }

  #decodeWaiting(): void {
    if (this.#waitingBytes === 0) return
    const bytes = this.#waiting.subarray(0, this.#waitingBytes)
    this.#waitingBytes = 0
    this.#take(bytes)
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
    const isFirst = this.#bytes === 0
    this.#bytes += piece.byteLength
    if (this.#isBinary || this.#items) return undefined
    try {
      const text = this.#decode(piece)
      return ON_SERVER && isFirst && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
    } catch {
      this.#isBinary = true
      return undefined
    }
  }

  #decode(piece: Uint8Array): string {
    if (ON_SERVER && (piece[piece.length - 1] ?? 0) < 0x80 && !this.#decoder) return decodeWhole(piece)
    this.#decoder ??= createDecoder()
    return this.#decoder.decode(piece, { stream: true })
  }
}
