import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Answer } from '../http/answer.ts'
import type { Keys } from '../http/auth.ts'
import type { Call } from '../http/router.ts'

/** As this file: of the sources in `src`, of the build in `dist`. */
const PROGRAM = new URL(`worker${extname(import.meta.url)}`, import.meta.url)

/** What the thread is started with. */
export interface ThreadData {
  readonly file: string
  readonly keys: Keys
}

/** A request on its way to the thread. */
export interface Question extends Pick<Call, 'method' | 'path'> {
  readonly id: number
  readonly query: string
  /** Of the headers, the one that handlers look at. */
  readonly host: string | undefined
}

/** The answer of the thread to a {@link Question}. */
export interface Reply {
  readonly id: number
  readonly answer: Answer
}

/** What a thread needs to know of a request. */
export type ReadCall = Pick<Call, 'method' | 'path' | 'query' | 'headers'>

interface Waiting {
  resolve(answer: Answer): void
  reject(error: Error): void
}

/**
 * A thread with its own connection to the database file, on which reads do not hold up the intake. It is started by the
 * first read, and again after it has failed.
 */
export class ReadThread {
  readonly #data: ThreadData
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #last = 0

  constructor(data: ThreadData) {
    this.#data = data
  }

  /** How many requests are not answered yet. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Rejects when the thread fails before it has answered. */
  answer({ method, path, query, headers }: ReadCall): Promise<Answer> {
    this.#worker ??= this.#start()
    this.#last += 1
    const question: Question = { id: this.#last, method, path, query: query.toString(), host: headers.host }
    const answered = new Promise<Answer>((resolve, reject) => this.#waiting.set(question.id, { resolve, reject }))
    this.#worker.postMessage(question)
    return answered
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(PROGRAM, { workerData: this.#data })
    worker.unref()
    worker.on('message', ({ id, answer }: Reply) => {
      this.#waiting.get(id)?.resolve(answer)
      this.#waiting.delete(id)
    })
    let cause: unknown
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => {
      this.#worker = undefined
      for (const { reject } of this.#waiting.values()) reject(new Error('the thread that reads has ended', { cause }))
      this.#waiting.clear()
    })
    return worker
  }
}
