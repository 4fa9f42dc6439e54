/**
 * A map of the newest entries: the last `capacity` of them for sure, never more than twice as many. Two generations
 * instead of the oldest entry each time: a `Map` finds its first entry only after stepping over all deleted ones.
 */
export class Recent<Value> {
  readonly #capacity: number
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get(key: string): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key)
  }

  set(key: string, value: Value): void {
    if (this.#young.size >= this.#capacity) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
  }

  delete(key: string): void {
    if (!this.#young.delete(key)) this.#old.delete(key)
  }
}
