/** Most bytes that are kept of one body. What goes beyond costs content, never the call. */
const BODY_LIMIT = 8_388_608
/** Bytes that are kept of the end of a longer body: token counts come last. */
const TAIL_LIMIT = 65_536
/** Most bytes that are kept of all bodies together. */
const TOTAL_LIMIT = 67_108_864

let total = 0

/** The chunks of a body as they came, each with its time. They are copies: the application may change its own. */
export class KeptBytes {
  #chunks: Buffer[] = []
  #times: number[] = []
  #tail: Buffer[] = []
  #size = 0
  #tailSize = 0

  /** Whether something between the beginning and the end is missing. */
  get isCut(): boolean {
    return this.#tail.length > 0
  }

  get isEmpty(): boolean {
    return this.#chunks.length === 0
  }

  /** Those of the beginning. */
  get chunks(): readonly Buffer[] {
    return this.#chunks
  }

  /** @param chunk text in UTF-8, or bytes. Anything else is ignored */
  add(chunk: unknown, encoding?: unknown): void {
    const bytes = copyOf(chunk, encoding)
    if (!bytes || bytes.length === 0) return
    const fits = this.#size + bytes.length <= BODY_LIMIT && total + bytes.length <= TOTAL_LIMIT
    if (fits && !this.isCut) {
      this.#chunks.push(bytes)
      this.#times.push(performance.now())
      this.#size += bytes.length
      total += bytes.length
    } else {
      this.#tail.push(bytes)
      this.#tailSize += bytes.length
      while (this.#tailSize - (this.#tail[0]?.length ?? 0) >= TAIL_LIMIT) {
        this.#tailSize -= this.#tail.shift()?.length ?? 0
      }
    }
  }

  /** Returns what was kept, the beginning before the end. */
  whole(): Buffer {
    const [only] = this.#chunks
    const isOne = only !== undefined && this.#chunks.length === 1 && !this.isCut
    return isOne ? only : Buffer.concat([...this.#chunks, ...this.#tail])
  }

  /** When the byte at an offset came, in milliseconds as of `performance.now()`. */
  timeAt(offset: number): number | undefined {
    let end = 0
    for (const [index, chunk] of this.#chunks.entries()) {
      end += chunk.length
      if (offset < end) return this.#times[index]
    }
    return this.#times.at(-1)
  }

  /** Lets go of everything. */
  clear(): void {
    total -= this.#size
    this.#size = 0
    this.#tailSize = 0
    this.#chunks = []
    this.#times = []
    this.#tail = []
  }
}

function copyOf(chunk: unknown, encoding: unknown): Buffer | undefined {
  if (typeof chunk === 'string') {
    return Buffer.from(chunk, Buffer.isEncoding(String(encoding)) ? (encoding as BufferEncoding) : 'utf8')
  }
  return chunk instanceof Uint8Array ? Buffer.from(chunk) : undefined
}
