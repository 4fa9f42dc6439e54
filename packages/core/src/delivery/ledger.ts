import type { DropReason } from '../health.ts'
import { log } from '../log.ts'
import { type Cause, Losses } from '../losses.ts'
import { countOf, type Noun } from './noun.ts'

/** Every span, or score, that ended and was wanted: sent, dropped for a reason, or still here. */
export class Ledger {
  readonly #dropped = new Map<DropReason, number>()
  readonly #losses: Losses
  readonly #noun: Noun
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

  end(): void {
    this.#ended += 1
  }

  /** Spans that ended in another process, and are ours to deliver now. */
  adopt(items: number): void {
    this.#ended += items
  }

  send(items: number): void {
    this.#sent += items
  }

  /**
   * Counts items as lost, and says so: at once, or once a minute with the number lost since.
   *
   * @param cause left out where somebody else says it
   */
  drop(reason: DropReason, items: number, cause?: Cause): void {
    if (items === 0) return
    this.#dropped.set(reason, (this.#dropped.get(reason) ?? 0) + items)
    if (cause) this.#losses.report(cause, items)
  }

  /** The same for what is lost at the end: said in the one line of {@link close}. */
  dropAtEnd(items: number, cause: Cause): void {
    if (items === 0) return
    this.#dropped.set('shutdown', (this.#dropped.get('shutdown') ?? 0) + items)
    this.#losses.reportLater(cause, items)
  }

  /** Whether something is still to be said. */
  get hasUnsaid(): boolean {
    return this.#losses.hasRest()
  }

  /** Says what was held back because it repeats. */
  say(): void {
    this.#losses.reportRest()
  }

  /** Says what was not said yet. A process may come to several ends, and hears nothing twice. */
  close(pending: number): void {
    this.#losses.reportRest()
    const reasons = [...this.#dropped].map(([reason, items]) => `${items} ${reason}`).join(', ') || 'none'
    const summary = `${this.#ended} ${this.#noun.many} ended: ${this.#sent} sent, ${pending} pending, dropped: ${reasons}.`
    if (summary !== this.#summary) log.debug(summary)
    this.#summary = summary
  }
}
