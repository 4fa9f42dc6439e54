/** Below this many free slots, moving the rest is not worth it. */
const SMALL = 1_024

/** A queue whose operations take constant time at any length. */
export class Fifo<T extends object> {
  /** Slots before the head are undefined, so that removed items can be collected. */
  #items: (T | undefined)[] = []
  #head = 0

  get length(): number {
    return this.#items.length - this.#head
  }

  get first(): T | undefined {
    return this.#items[this.#head]
  }

  push(item: T): void {
    this.#items.push(item)
  }

  /** Adds items to the front, in this order. */
  unshift(...items: readonly T[]): void {
    this.#items.splice(0, this.#head, ...items)
    this.#head = 0
  }

  /** Inserts an item before the first that `isLater`, else at the back. */
  insert(item: T, isLater: (item: T) => boolean): void {
    const at = this.#items.findIndex((each) => each !== undefined && isLater(each))
    if (at < 0) this.push(item)
    else this.#items.splice(at, 0, item)
  }

  shift(): T | undefined {
    if (this.length === 0) return undefined
    const { first } = this
    this.#items[this.#head] = undefined
    this.#head += 1
    if (this.#head > SMALL && this.#head > this.length) this.#compact()
    return first
  }

  /** Removes and returns the first matching item. */
  shiftWhere(isWanted: (item: T) => boolean): T | undefined {
    const at = this.#items.findIndex((item) => item !== undefined && isWanted(item))
    return at < 0 ? undefined : this.#items.splice(at, 1)[0]
  }

  /** Removes and returns all matching items. */
  remove(isWanted: (item: T) => boolean): readonly T[] {
    const removed = [...this].filter(isWanted)
    if (removed.length === 0) return removed
    this.#items = [...this].filter((item) => !isWanted(item))
    this.#head = 0
    return removed
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let at = this.#head; at < this.#items.length; at++) yield this.#items[at] as T
  }

  #compact(): void {
    this.#items = this.#items.slice(this.#head)
    this.#head = 0
  }
}
