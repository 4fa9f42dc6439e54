/** A value that holds while some work runs, and not in what that leaves for later. */
export class Meanwhile<T> {
  #value: T | undefined

  get value(): T | undefined {
    return this.#value
  }

  run<R>(value: T, work: () => R): R {
    const before = this.#value
    this.#value = value
    try {
      return work()
    } finally {
      this.#value = before
    }
  }
}
