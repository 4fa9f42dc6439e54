/** Below this, room that was left behind is not worth moving the rest. */
const SMALL = 1_024

/** First in, first out, in constant time however long it is. */
export class Fifo<T extends object> {
  /** Empty before the head: what was taken out is not to be kept alive. */
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

  /** To the front, in this order. */
  unshift(...items: readonly T[]): void {
    this.#items.splice(0, this.#head, ...items)
    this.#head = 0
  }

  /** Before the first item that `isLater`, else to the back. */
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

  /** Takes out the first that is wanted. */
  shiftWhere(isWanted: (item: T) => boolean): T | undefined {
    const at = this.#items.findIndex((item) => item !== undefined && isWanted(item))
    return at < 0 ? undefined : this.#items.splice(at, 1)[0]
  }

  /** Takes out all that are wanted. */
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
