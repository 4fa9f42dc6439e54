import type { ByteBudget } from './byte-budget.ts'
import type { SealedBatch } from './sealed-batch.ts'

/** The batches in memory and their share of the budget: waiting, rejected, or in a request. */
export class HeldBatches {
  readonly #budget: ByteBudget
  #waiting: SealedBatch[] = []
  #refused: SealedBatch[] = []
  /** When the request of each started. */
  readonly #underWay = new Map<SealedBatch, number>()
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
    return this.#waiting[0] ?? this.#refused[0]
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
    const at = this.#waiting.findIndex(({ sealedAt }) => sealedAt >= batch.sealedAt)
    this.#waiting.splice(at < 0 ? this.#waiting.length : at, 0, batch)
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
    const at = this.#refused.findIndex(isWanted)
    return this.#released(at < 0 ? undefined : this.#refused.splice(at, 1)[0])
  }

  /** Removes and returns all that match, except those in a request. */
  remove(isWanted: (batch: SealedBatch) => boolean): readonly SealedBatch[] {
    const removed = [...this.#waiting, ...this.#refused].filter(isWanted)
    if (removed.length === 0) return removed
    this.#waiting = this.#waiting.filter((batch) => !isWanted(batch))
    this.#refused = this.#refused.filter((batch) => !isWanted(batch))
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
