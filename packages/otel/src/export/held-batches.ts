import type { ByteBudget } from './byte-budget.ts'
import type { SealedBatch } from './sealed-batch.ts'

/** The batches in memory, those that wait and those under way, and what they take of the budget. */
export class HeldBatches {
  readonly #budget: ByteBudget
  readonly #underWay = new Set<SealedBatch>()
  /** How many there are, by epoch. */
  readonly #epochs = new Map<number, number>()
  #waiting: SealedBatch[] = []
  #spans = 0

  constructor(budget: ByteBudget) {
    this.#budget = budget
  }

  get spans(): number {
    return this.#spans
  }

  get waiting(): readonly SealedBatch[] {
    return this.#waiting
  }

  get underWay(): number {
    return this.#underWay.size
  }

  /** Whether something of this epoch or an earlier one is here. */
  has(epoch: number): boolean {
    for (const each of this.#epochs.keys()) if (each <= epoch) return true
    return false
  }

  /** To the back. */
  push(batch: SealedBatch): void {
    this.#take(batch)
    this.#waiting.push(batch)
  }

  /** To the front. */
  unshift(...batches: readonly SealedBatch[]): void {
    for (const batch of batches) this.#take(batch)
    this.#waiting.unshift(...batches)
  }

  /** Takes out the first that waits. */
  shift(): SealedBatch | undefined {
    const batch = this.#waiting.shift()
    if (batch) this.#release(batch)
    return batch
  }

  /** Takes out those that wait and are of a kind. */
  remove(isWanted: (batch: SealedBatch) => boolean): readonly SealedBatch[] {
    if (!this.#waiting.some(isWanted)) return []
    const removed = this.#waiting.filter(isWanted)
    this.#waiting = this.#waiting.filter((batch) => !isWanted(batch))
    for (const batch of removed) this.#release(batch)
    return removed
  }

  /** It is under way. */
  start(batch: SealedBatch): void {
    this.#take(batch)
    this.#underWay.add(batch)
  }

  /** It is no longer under way, and no longer here. @returns false where it was not */
  finish(batch: SealedBatch): boolean {
    if (!this.#underWay.delete(batch)) return false
    this.#release(batch)
    return true
  }

  /** What is under way waits again, before all others. */
  recall(): void {
    this.#waiting.unshift(...this.#underWay)
    this.#underWay.clear()
  }

  #take({ body, spans, epoch }: SealedBatch): void {
    this.#budget.take(body.length)
    this.#spans += spans
    this.#epochs.set(epoch, (this.#epochs.get(epoch) ?? 0) + 1)
  }

  #release({ body, spans, epoch }: SealedBatch): void {
    this.#budget.release(body.length)
    this.#spans -= spans
    const left = (this.#epochs.get(epoch) ?? 0) - 1
    if (left > 0) this.#epochs.set(epoch, left)
    else this.#epochs.delete(epoch)
  }
}
