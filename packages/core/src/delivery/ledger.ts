import { log } from '../log.ts'
import type { Cause } from '../losses.ts'
import { Counts } from './counts.ts'
import type { Noun } from './noun.ts'

/** {@link Counts} in a process that ends: what is left then is logged in one line, with the totals. */
export class Ledger extends Counts {
  readonly #noun: Noun
  #summary: string | undefined

  constructor(noun: Noun, now?: () => number) {
    super(noun, now)
    this.#noun = noun
  }

  /** Like {@link drop}, for items lost at the end: logged by {@link close} in one line. */
  dropAtEnd(items: number, cause: Cause): void {
    this.drop('shutdown', items)
    if (items > 0) this.losses.add(cause, items)
  }

  /** Whether some losses are not logged yet. */
  get hasRest(): boolean {
    return this.losses.rest().length > 0
  }

  /** Logs the losses that were held back because they repeat. */
  logRest(): void {
    this.losses.log(this.losses.rest())
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
