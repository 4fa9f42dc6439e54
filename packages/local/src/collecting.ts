import { log, messageOf } from '@svc/core/log'
import type { Store } from './store/store.ts'

/** Observations whose words are collected at once, and the rest after it in milliseconds: the intake goes first. */
const AT_ONCE = 50
const REST = 5

/** Collects words for the search in the background. */
export class Collecting {
  readonly #store: Store
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(store: Store) {
    this.#store = store
  }

  /** There is something new. */
  wake(): void {
    if (this.#closed) return
    this.#timer ??= setTimeout(() => this.#step(), REST).unref()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  #step(): void {
    this.#timer = undefined
    try {
      if (this.#store.search.collect(AT_ONCE)) this.wake()
    } catch (error) {
      log.warn(`the words of new observations are not searched: ${messageOf(error)}`)
    }
  }
}
