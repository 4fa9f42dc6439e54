import { log } from './log.ts'

/** Why something was lost: `kind` tells causes apart, `text` says what happened and what to do. */
export interface Cause {
  readonly kind: string
  readonly text: string
  /** Repeating it helps nobody: said once and never again. */
  readonly once?: boolean
}

const QUIET_MS = 60_000

/** Says that things were lost: one line a cause, then at most one a minute with the number lost since. */
export class Failures {
  readonly #causes = new Map<string, { cause: Cause; count: number; quietUntil: number }>()
  readonly #lost: (count: number) => string
  readonly #now: () => number

  /** @param lost the sentence after the cause: `3 spans are lost.` */
  constructor(lost: (count: number) => string, now = () => performance.now()) {
    this.#lost = lost
    this.#now = now
  }

  report(cause: Cause, count: number): void {
    const known = this.#causes.get(cause.kind) ?? { cause, count: 0, quietUntil: Number.NEGATIVE_INFINITY }
    this.#causes.set(cause.kind, known)
    known.cause = cause
    known.count += count
    if (this.#now() < known.quietUntil) return
    known.quietUntil = cause.once ? Number.POSITIVE_INFINITY : this.#now() + QUIET_MS
    this.#say(known)
  }

  /** Whether the quiet minutes hold something back. */
  hasRest(): boolean {
    return this.#rest().length > 0
  }

  /** Says what the quiet minutes held back. For the end of the process. */
  reportRest(): void {
    for (const known of this.#rest()) this.#say(known)
  }

  #rest() {
    return [...this.#causes.values()].filter(({ cause, count }) => count > 0 && !cause.once)
  }

  #say(known: { cause: Cause; count: number }): void {
    log.error(`${known.cause.text} ${this.#lost(known.count)}`)
    known.count = 0
  }
}
