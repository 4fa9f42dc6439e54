import { attempt } from '@svc/core/attempt'
import type { ResponseContent } from '../gen-ai/content.ts'
import { findFailure, withFailure } from '../gen-ai/failure.ts'
import { parseJson } from '../gen-ai/parts.ts'
import { asName, asRecord } from '../gen-ai/read.ts'
import type { Reader } from '../gen-ai/reader.ts'
import type { ReadHeader, WireApi } from './apis.ts'
import { type BodyEvent, readBody } from './body-events.ts'
import { decodedBody } from './body-text.ts'
import { KeptBytes } from './kept-bytes.ts'

/** The head of a response. */
interface ResponseHead {
  readonly status: number
  readonly header: ReadHeader
  /** Read at once: axios deletes the header when it decompresses the body itself. */
  readonly encoding: string | undefined
  /** Whether its body is sound, which is not read. */
  readonly isSound: boolean
}

/** What the bytes of a response say. */
export interface ReadResponse {
  readonly content: ResponseContent
  readonly isComplete: boolean
  /** When the first output came, as of `performance.now()`. */
  readonly firstOutputAt?: number | undefined
}

/** A response as it arrives. Its bytes are kept until it is read. */
export class ReceivedBody {
  #head: ResponseHead | undefined
  readonly #received = new KeptBytes()

  /** Undefined until the head has arrived. */
  get head(): ResponseHead | undefined {
    return this.#head
  }

  responded(status: number, header: ReadHeader): void {
    const isSound = header('content-type')?.startsWith('audio/') === true
    this.#head = { status, header, encoding: header('content-encoding'), isSound }
  }

  receive(chunk: unknown, encoding?: unknown): void {
    if (!this.#head?.isSound) this.#received.add(chunk, encoding)
  }

  clear(): void {
    this.#received.clear()
  }

  read({ withHeaders }: WireApi, reader: Reader): ReadResponse {
    const { header = () => undefined, encoding } = this.#head ?? {}
    const received = this.#received.whole()
    const bytes = decodedBody(received, encoding)
    if (!bytes || bytes.length === 0) return { content: {}, isComplete: false }
    const body = readBody(bytes)
    if (bytes !== received) release(bytes)
    if ('whole' in body) {
      const whole = withHeaders?.(body.whole, header) ?? body.whole
      return { content: withFailure(reader.readResponse(whole), whole), isComplete: true }
    }
    const accumulator = reader.createAccumulator()
    let first: BodyEvent | undefined
    for (const event of body.events) {
      const isOutput = accumulator.add(event.fields)
      if (isOutput) first ??= event
    }
    const failure = body.events.map(failureIn).find((found) => found !== undefined)
    const { response, isComplete } = accumulator
    // Of compressed bytes nobody knows which event they were.
    const offset = encoding === undefined && first ? first.at : 0
    return {
      content: failure && !response.failure ? { ...response, failure } : response,
      isComplete,
      firstOutputAt: first && this.#received.timeAt(offset),
    }
  }

  /** The error that a response reports by its status. */
  statusError(status: number): Error {
    const bytes = attempt('read an error', () => decodedBody(this.#received.whole(), this.#head?.encoding))
    const text = bytes?.toString() ?? ''
    const { error, message } = asRecord(asRecordOrFirst(parseJson(text)))
    const reason = asName(asRecord(error).message) ?? asName(error) ?? asName(message) ?? text.trim()
    return Object.assign(new Error(`${status} ${reason}`.trim()), { name: String(status), status })
  }
}

/** Frees a long body at once: many that wait for the garbage collector have it work more. Short ones share a pool. */
function release({ buffer, length }: Buffer): void {
  if (length > Buffer.poolSize) (buffer as Partial<Releasable>).transfer?.(0)
}

/** An `ArrayBuffer` of ES2024. */
interface Releasable {
  transfer(length: number): unknown
}

/** An event that reports an error after the response had started. */
function failureIn({ fields }: BodyEvent): ResponseContent['failure'] {
  return fields.choices === undefined ? findFailure(fields) : undefined
}

/** Google reports errors in a list. */
function asRecordOrFirst(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value
}
