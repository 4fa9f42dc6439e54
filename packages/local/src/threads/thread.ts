import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Bytes } from '@svc/core/bytes'
import { type Answer, Refusal } from '../http/answer.ts'
import type { Keys } from '../http/auth.ts'
import type { Call } from '../http/router.ts'
import type { StoreOptions } from '../store/store.ts'

/** As this file: of the sources in `src`, of the build in `dist`. */
const PROGRAM = new URL(`worker${extname(import.meta.url)}`, import.meta.url)

/** Most memory that what a thread builds may take; one that needs more ends, and the next request starts another. */
const MEBIBYTES = 256

export interface ThreadData {
  readonly file: string
  readonly keys: Keys
  /** It writes, too. */
  readonly writes?: StoreOptions
}

/** A request on its way to the thread. */
export interface Question extends Pick<Call, 'method' | 'path' | 'headers'> {
  readonly id: number
  readonly query: string
  readonly body?: Bytes
}

/** The answer of the thread to a {@link Question}. */
export interface ThreadReply {
  readonly id: number
  readonly answer: Answer
}

/** The part of a request that a thread gets. */
export type ThreadCall = Pick<Call, 'method' | 'path' | 'query' | 'headers'>

interface Waiting {
  resolve(answer: Answer): void
  reject(error: Error): void
}

/**
 * A thread with its own connection to the database file, so that what takes long does not hold up other requests. The
 * first request starts it, where {@link start} has not, and the next one after it has failed.
 */
export class ServiceThread {
  readonly #data: ThreadData
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #isClosed = false
  #last = 0

  constructor(data: ThreadData) {
    this.#data = data
  }

  /** Lets the first request find it running. */
  start(): Worker {
    this.#worker ??= this.#started()
    return this.#worker
  }

  /** Rejects when the thread fails or is closed before it has answered. */
  answer({ method, path, query, headers }: ThreadCall, body?: Buffer): Promise<Answer> {
    if (this.#isClosed) return Promise.reject(ended('it is closed'))
    const worker = this.start()
    this.#last += 1
    const question: Question = {
      ...{ id: this.#last, method, path, query: query.toString(), headers },
      ...(body && { body: taken(body) }),
    }
    const answered = new Promise<Answer>((resolve, reject) => this.#waiting.set(question.id, { resolve, reject }))
    worker.postMessage(question, question.body ? [question.body.buffer] : [])
    return answered
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#worker?.terminate()
  }

  #started(): Worker {
    const worker = new Worker(PROGRAM, {
      workerData: this.#data,
      resourceLimits: { maxOldGenerationSizeMb: MEBIBYTES },
    })
    worker.unref()
    worker.on('message', ({ id, answer }: ThreadReply) => {
      this.#waiting.get(id)?.resolve(answer)
      this.#waiting.delete(id)
    })
    let cause: unknown
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => {
      this.#worker = undefined
      // They are answered one after the other: what was too much is the first.
      const [first, ...others] = this.#waiting.values()
      this.#waiting.clear()
      first?.reject(isTooMuch(cause) ? TOO_MUCH : ended(cause))
      for (const { reject } of others) reject(isTooMuch(cause) ? LATER : ended(cause))
    })
    return worker
  }
}

/** Bytes of a body that those who wait for requests can see afterwards: see requests.ts. */
const SEEN = 1024 * 1024

/** A body for the thread: a copy of a short one, and a long one itself. */
function taken(body: Buffer): Bytes {
  const own = body.byteOffset === 0 && body.buffer.byteLength === body.length && body.buffer instanceof ArrayBuffer
  return own && body.length > SEEN ? new Uint8Array(body.buffer) : new Uint8Array(body)
}

const isTooMuch = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'

const ended = (cause: unknown) => new Error('the thread of this request has ended', { cause })

const TOO_MUCH = new Refusal(
  413,
  `This takes more than the ${MEBIBYTES} MiB of memory that one request may have: send, or ask for, less at once`,
  'Payload Too Large',
)
const LATER = new Refusal(503, 'Another request took all the memory of this one', 'Service Unavailable', {
  'retry-after': '1',
})
