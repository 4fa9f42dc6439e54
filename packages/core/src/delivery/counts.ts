import type { DropReason } from '../health.ts'
import { type Cause, Losses } from '../losses.ts'
import { countOf, type Noun } from './noun.ts'

/** Counts every span or score to deliver: ended, sent, or dropped with a reason. */
export class Counts {
  protected readonly losses: Losses
  readonly #dropped = new Map<DropReason, number>()
  #ended = 0
  #sent = 0

  constructor(noun: Noun, now?: () => number) {
    this.losses = new Losses((items) => `${countOf(items, noun)} lost.`, now)
  }

  get ended(): number {
    return this.#ended
  }

  get sent(): number {
    return this.#sent
  }

  get dropped(): Readonly<Partial<Record<DropReason, number>>> {
    return Object.fromEntries(this.#dropped)
  }

  /** @param items more than one for those that another process left in the spool and this one delivers */
  end(items = 1): void {
    this.#ended += items
  }

  send(items: number): void {
    this.#sent += items
  }

  /**
   * Counts items as dropped, and logs it: at once, then once a minute with the number dropped since.
   *
   * @param cause undefined where another component logs the loss
   */
  drop(reason: DropReason, items: number, cause?: Cause): void {
    if (items === 0) return
    this.#dropped.set(reason, (this.#dropped.get(reason) ?? 0) + items)
    if (cause) this.losses.report(cause, items)
  }
}
