import type { ReadHeader } from './apis.ts'
import { isStoppedByReader, readAbortReason, stoppedByCaller } from './end-reason.ts'
import type { WireFollower } from './follower.ts'
import { KeptBytes } from './kept-bytes.ts'

/** What libraries read of the head of an answer: what it is, its ids, when to ask again, tokens of Bedrock. */
const HEADERS = [
  ...['content-type', 'content-encoding'],
  ...['x-request-id', 'request-id', 'apim-request-id', 'x-amzn-requestid', 'x-amzn-errortype'],
  ...['retry-after', 'retry-after-ms', 'x-should-retry'],
  ...['x-amzn-bedrock-input-token-count', 'x-amzn-bedrock-output-token-count'],
]

/** The answer to one request as it came: its status, some of its headers, and its body, as it was read. */
export class ReceivedAnswer implements WireFollower {
  /** As JSON, once the answer has ended. Undefined if there was none. */
  text: string | undefined
  /** Whether it was too long. */
  isCut = false
  /** Called once, when the answer has ended. Must not throw. */
  onEnd: (() => void) | undefined
  readonly #body = new KeptBytes()
  /** How many chunks there were before each read of the connection. */
  readonly #reads: number[] = []
  #isReading = false
  #head: { readonly status: number; readonly headers: Readonly<Record<string, string | undefined>> } | undefined
  #isOver = false

  sending(): void {}

  send(): void {}

  responded(status: number, header: ReadHeader): void {
    // Early hints, and where the request is to be sent instead.
    if (status < 200 || (status >= 300 && status < 400)) return
    this.#head = { status, headers: Object.fromEntries(HEADERS.map((name) => [name, header(name)])) }
  }

  receive(chunk: unknown, encoding?: unknown): void {
    if (this.#isOver) return
    if (!this.#isReading) {
      this.#reads.push(this.#body.chunks.length)
      this.#isReading = true
      // Chunks of one read come one after the other. Who reads a stream gets them as one.
      queueMicrotask(() => {
        this.#isReading = false
      })
    }
    this.#body.add(chunk, encoding)
  }

  done(): void {
    this.end()
  }

  failed(cause: unknown): void {
    const error = readAbortReason(cause)
    this.end(!isStoppedByReader(error) && !stoppedByCaller(error))
  }

  /** Ends it with what has come so far. @param isBroken whether the connection was lost */
  end(isBroken = false): void {
    if (this.#isOver) return
    this.#isOver = true
    this.isCut = this.#body.isCut
    if (this.#head && !this.isCut) {
      this.text = JSON.stringify({ ...this.#head, ...this.#encoded(), ...(isBroken && { isBroken }) })
    }
    this.#body.clear()
    this.onEnd?.()
  }

  /** As text where each chunk is one. */
  #encoded() {
    const { chunks } = this.#body
    const isText = chunks.every((chunk) => chunk.equals(Buffer.from(chunk.toString())))
    const encoding = isText ? 'utf8' : 'base64'
    const texts = chunks.map((chunk) => chunk.toString(encoding))
    return { encoding, reads: this.#reads.map((start, at) => texts.slice(start, this.#reads[at + 1])) }
  }
}
