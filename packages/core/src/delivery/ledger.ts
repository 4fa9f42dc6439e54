import type { DropReason } from '../health.ts'
import { log } from '../log.ts'
import { type Cause, Losses } from '../losses.ts'
import { countOf, type Noun } from './noun.ts'

/**
 * Counts every span or score to deliver: ended, sent, or dropped with a reason. What is left when the process ends is
 * logged in one line, with the totals.
 */
export class Ledger {
  readonly #noun: Noun
  readonly #losses: Losses
  readonly #dropped = new Map<DropReason, number>()
  #ended = 0
  #sent = 0
  #summary: string | undefined

  constructor(noun: Noun, now?: () => number) {
    this.#noun = noun
    this.#losses = new Losses((items) => `${countOf(items, noun)} lost.`, now)
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
    if (cause) this.#losses.report(cause, items)
  }

  /** Like {@link drop}, for items lost at the end: logged by {@link close} in one line. */
  dropAtEnd(items: number, cause: Cause): void {
    this.drop('shutdown', items)
    if (items > 0) this.#losses.add(cause, items)
  }

  /** Whether some losses are not logged yet. */
  get hasRest(): boolean {
    return this.#losses.rest().length > 0
  }

  /** Logs the losses that were held back because they repeat. */
  logRest(): void {
    this.#losses.log(this.#losses.rest())
  }

  /** Logs the remaining losses and the totals. May be called more than once; nothing is logged twice. */
  close(pending: number): void {
    this.logRest()
    const reasons = Object.entries(this.dropped).map(([reason, items]) => `${items} ${reason}`)
    const dropped = reasons.join(', ') || 'none'
    const summary = `${this.ended} ${this.ended === 1 ? this.#noun.one : this.#noun.many} ended: ${this.sent} sent, ${pending} pending, dropped: ${dropped}.`
    if (summary !== this.#summary) log.debug(summary)
    this.#summary = summary
  }
}
