import type { DropReason } from '@svc/core/health'
import { log } from '@svc/core/log'
import { type Cause, Losses } from '@svc/core/losses'

/** Every span that ended and was wanted: sent, dropped for a reason, or still here. */
export class Ledger {
  readonly #dropped = new Map<DropReason, number>()
  readonly #losses: Losses
  #ended = 0
  #sent = 0
  #summary: string | undefined

  constructor(now?: () => number) {
    this.#losses = new Losses((spans) => `${spanCount(spans)} lost.`, now)
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
  adopt(spans: number): void {
    this.#ended += spans
  }

  send(spans: number): void {
    this.#sent += spans
  }

  /** Counts spans as lost, and says so: at once, or once a minute with the number lost since. */
  drop(reason: DropReason, spans: number, cause: Cause): void {
    if (spans === 0) return
    this.#dropped.set(reason, (this.#dropped.get(reason) ?? 0) + spans)
    this.#losses.report(cause, spans)
  }

  /** The same for what is lost at the end: said in the one line of {@link close}. */
  dropAtEnd(spans: number, cause: Cause): void {
    if (spans === 0) return
    this.#dropped.set('shutdown', (this.#dropped.get('shutdown') ?? 0) + spans)
    this.#losses.reportLater(cause, spans)
  }

  /** Says what was not said yet. A process may come to several ends, and hears nothing twice. */
  close(pending: number): void {
    this.#losses.reportRest()
    const reasons = [...this.#dropped].map(([reason, spans]) => `${spans} ${reason}`).join(', ') || 'none'
    const summary = `${this.#ended} spans ended: ${this.#sent} sent, ${pending} pending, dropped: ${reasons}.`
    if (summary !== this.#summary) log.debug(summary)
    this.#summary = summary
  }
}

/** Where nothing is sent, nothing is lost. */
export class NoLedger extends Ledger {
  override end(): void {}
  override drop(): void {}
  override dropAtEnd(): void {}
  override close(): void {}
}

export function spanCount(spans: number): string {
  return spans === 1 ? '1 span is' : `${spans} spans are`
}
