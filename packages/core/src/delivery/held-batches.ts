import type { ByteBudget } from './byte-budget.ts'
import { Fifo } from './fifo.ts'
import type { SealedBatch } from './sealed-batch.ts'

/** The batches in memory and their share of the budget: waiting, rejected, or in a request. */
export class HeldBatches {
  readonly #budget: ByteBudget
  readonly #waiting = new Fifo<SealedBatch>()
  readonly #refused = new Fifo<SealedBatch>()
  /** When the request of each started. */
  readonly #underWay = new Map<SealedBatch, number>()
  /** Number of batches by epoch. */
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

  /** The batch that has waited longest. */
  get first(): SealedBatch | undefined {
    return this.#waiting.first ?? this.#refused.first
  }

  /** Whether it holds a batch of this epoch or an earlier one. */
  has(epoch: number): boolean {
    for (const each of this.#epochs.keys()) if (each <= epoch) return true
    return false
  }

  /** Adds a batch to the back of the queue. */
  push(batch: SealedBatch): void {
    this.#take(batch)
    this.#waiting.push(batch)
  }

  /** Adds a batch to the front of the queue. */
  unshift(batch: SealedBatch): void {
    this.#take(batch)
    this.#waiting.unshift(batch)
  }

  /** Adds a batch before all that were sealed later. */
  putBack(batch: SealedBatch): void {
    this.#take(batch)
    this.#waiting.insert(batch, ({ sealedAt }) => sealedAt >= batch.sealedAt)
  }

  /** Adds a rejected batch; waiting batches are sent first. */
  refuse(batch: SealedBatch): void {
    this.#take(batch)
    this.#refused.push(batch)
  }

  /** Removes and returns {@link first}. */
  shift(): SealedBatch | undefined {
    return this.#released(this.#waiting.shift() ?? this.#refused.shift())
  }

  /** Removes and returns the first rejected batch that matches. */
  shiftRefused(isWanted: (batch: SealedBatch) => boolean): SealedBatch | undefined {
    return this.#released(this.#refused.shiftWhere(isWanted))
  }

  /** Removes and returns all that match, except those in a request. */
  remove(isWanted: (batch: SealedBatch) => boolean): readonly SealedBatch[] {
    const removed = [...this.#waiting.remove(isWanted), ...this.#refused.remove(isWanted)]
    for (const batch of removed) this.#released(batch)
    return removed
  }

  /** Marks a batch as being in a request. */
  start(batch: SealedBatch, startedAt: number): void {
    this.#take(batch)
    this.#underWay.set(batch, startedAt)
  }

  /** Removes a batch whose request is settled. @returns false if it was not in a request */
  finish(batch: SealedBatch): boolean {
    if (!this.#underWay.delete(batch)) return false
    this.#released(batch)
    return true
  }

  /** Queues batches in requests again, before all others. @param latest only those whose requests started until then */
  recall(latest = Number.POSITIVE_INFINITY): void {
    const recalled = [...this.#underWay].filter(([, startedAt]) => startedAt <= latest).map(([batch]) => batch)
    this.#waiting.unshift(...recalled)
    for (const batch of recalled) this.#underWay.delete(batch)
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
