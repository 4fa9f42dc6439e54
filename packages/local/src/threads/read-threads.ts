import type { Answer } from '../http/answer.ts'
import { ServiceThread, type ThreadCall, type ThreadData } from './thread.ts'

/** Two threads that read, so that a page is answered while a long read runs. Each starts when it is needed. */
export class ReadThreads {
  readonly #first: ServiceThread
  readonly #second: ServiceThread

  constructor(data: ThreadData) {
    this.#first = new ServiceThread(data)
    this.#second = new ServiceThread(data)
  }

  /**
   * Rejects when the thread fails before it has answered.
   *
   * @param keeps the same thread answers each time, as it keeps what it has read for it
   */
  answer(call: ThreadCall, keeps = false): Promise<Answer> {
    const thread = keeps || this.#second.waiting >= this.#first.waiting ? this.#first : this.#second
    return thread.answer(call)
  }

  async close(): Promise<void> {
    await Promise.all([this.#first.close(), this.#second.close()])
  }
}
