import type { Answer } from '../http/answer.ts'
import { type ReadCall, ReadThread, type ThreadData } from './read-thread.ts'

/** Two threads that read, so that a page is answered while a long read runs. Each starts when it is needed. */
export class ReadThreads {
  readonly #first: ReadThread
  readonly #second: ReadThread

  constructor(data: ThreadData) {
    this.#first = new ReadThread(data)
    this.#second = new ReadThread(data)
  }

  /**
   * Rejects when the thread fails before it has answered.
   *
   * @param keeps the same thread answers each time, as it keeps what it has read for it
   */
  answer(call: ReadCall, keeps = false): Promise<Answer> {
    const thread = keeps || this.#second.waiting >= this.#first.waiting ? this.#first : this.#second
    return thread.answer(call)
  }

  async close(): Promise<void> {
    await Promise.all([this.#first.close(), this.#second.close()])
  }
}
