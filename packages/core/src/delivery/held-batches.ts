import type { ByteBudget } from './byte-budget.ts'
import { Fifo } from './fifo.ts'
import type { SealedBatch } from './sealed-batch.ts'

/** The batches in memory, and what they take of the budget: those that wait, those refused as they are, those under way. */
export class HeldBatches {
  readonly #budget: ByteBudget
  readonly #waiting = new Fifo<SealedBatch>()
  readonly #refused = new Fifo<SealedBatch>()
  readonly #underWay = new Set<SealedBatch>()
  /** How many there are, by epoch. */
  readonly #epochs = new Map<number, number>()
  #items = 0

  constructor(budget: ByteBudget) {
    this.#budget = budget
  }

  get items(): number {
    return this.#items
  }

  get waiting(): number {
    return this.#waiting.length
  }

  get refused(): Iterable<SealedBatch> {
    return this.#refused
  }

  get underWay(): number {
    return this.#underWay.size
  }

  /** The one that has waited longest. */
  get first(): SealedBatch | undefined {
    return this.#waiting.first ?? this.#refused.first
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
  unshift(batch: SealedBatch): void {
    this.#take(batch)
    this.#waiting.unshift(batch)
  }

  /** Where it was: before all that were sealed later. */
  putBack(batch: SealedBatch): void {
    this.#take(batch)
    this.#waiting.insert(batch, ({ sealedAt }) => sealedAt >= batch.sealedAt)
  }

  /** Behind all those that wait. */
  refuse(batch: SealedBatch): void {
    this.#take(batch)
    this.#refused.push(batch)
  }

  /** Takes out {@link first}. */
  shift(): SealedBatch | undefined {
    return this.#released(this.#waiting.shift() ?? this.#refused.shift())
  }

  /** Takes out the first that was refused and is wanted. */
  shiftRefused(isWanted: (batch: SealedBatch) => boolean): SealedBatch | undefined {
    return this.#released(this.#refused.shiftWhere(isWanted))
  }

  /** Takes out all that are wanted, but for those under way. */
  remove(isWanted: (batch: SealedBatch) => boolean): readonly SealedBatch[] {
    const removed = [...this.#waiting.remove(isWanted), ...this.#refused.remove(isWanted)]
    for (const batch of removed) this.#released(batch)
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
    this.#released(batch)
    return true
  }

  /** What is under way waits again, before all others. */
  recall(): void {
    this.#waiting.unshift(...this.#underWay)
    this.#underWay.clear()
  }

  #take({ body, items, epoch }: SealedBatch): void {
    this.#budget.take(body.length)
    this.#items += items
    this.#epochs.set(epoch, (this.#epochs.get(epoch) ?? 0) + 1)
  }

  #released(batch: SealedBatch | undefined): SealedBatch | undefined {
    if (!batch) return undefined
    const { body, items, epoch } = batch
    this.#budget.release(body.length)
    this.#items -= items
    const left = (this.#epochs.get(epoch) ?? 0) - 1
    if (left > 0) this.#epochs.set(epoch, left)
    else this.#epochs.delete(epoch)
    return batch
  }
}
