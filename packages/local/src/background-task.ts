import { log, messageOf } from '@svc/core/log'
import { isLocked } from './sqlite-error.ts'

/** Milliseconds between two steps: requests go first. */
const PAUSE = 5

/** Work that is done a little at a time between requests. */
export class BackgroundTask {
  readonly #step: () => boolean
  readonly #failure: string
  #timer: NodeJS.Timeout | undefined
  #closed = false

  /**
   * @param step does a little, and returns whether there may be more.
   * @param failure what a warning begins with when a step throws; the task then rests until it is woken again.
   */
  constructor(step: () => boolean, failure: string) {
    this.#step = step
    this.#failure = failure
  }

  /** There is something to do. */
  wake(): void {
    if (this.#closed) return
    this.#timer ??= setTimeout(() => this.#run(), PAUSE).unref()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  #run(): void {
    this.#timer = undefined
    try {
      if (this.#step()) this.wake()
    } catch (error) {
      if (isLocked(error)) this.wake()
      // It is woken by each request, and a full disk stays full.
      else log.once('warn', `${this.#failure}: ${messageOf(error)}`)
    }
  }
}
