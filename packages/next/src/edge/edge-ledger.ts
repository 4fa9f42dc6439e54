import type { DropReason } from '@svc/core/health'
import { log } from '@svc/core/log'
import type { Cause } from '@svc/core/losses'
import { after } from '@svc/core/timers'

const QUIET_MS = 60_000

interface Loss {
  text: string
  /** Spans that are not logged yet. */
  count: number
  /** By `performance.now()`: some runtimes end timers with the request that started them. */
  quietUntil: number
}

/** Counts every span: ended, sent, or dropped with a reason, which is logged at once, then at most once a minute. */
export class EdgeLedger {
  ended = 0
  sent = 0
  readonly dropped: Partial<Record<DropReason, number>> = {}
  readonly #losses: Record<string, Loss> = {}

  drop(reason: DropReason, spans: number, { kind, text }: Cause): void {
    if (spans === 0) return
    this.dropped[reason] = (this.dropped[reason] ?? 0) + spans
    this.#losses[kind] ??= { text, count: 0, quietUntil: 0 }
    const loss = this.#losses[kind]
    loss.text = text
    loss.count += spans
    report(loss)
  }
}

function report(loss: Loss): void {
  const { text, count } = loss
  if (count === 0 || performance.now() < loss.quietUntil) return
  log.error(`${text} ${count} ${count === 1 ? 'span is' : 'spans are'} lost.`)
  loss.count = 0
  loss.quietUntil = performance.now() + QUIET_MS
  after(QUIET_MS, () => {
    loss.quietUntil = 0
    report(loss)
  })
}
