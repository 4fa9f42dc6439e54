import { log } from './log.ts'
import { after } from './timers.ts'

/** Why something was lost: `kind` tells causes apart, `text` says what happened and what to do. */
export interface Cause {
  readonly kind: string
  readonly text: string
}

const QUIET_MS = 60_000

interface Known {
  cause: Cause
  /** What was lost and not said. */
  count: number
  quietUntil: number
}

/**
 * Says that things were lost, all of them: one line a cause at once, then at most one a minute with the number lost
 * since, and at the end one line for the rest.
 */
export class Losses {
  readonly #causes = new Map<string, Known>()
  readonly #sentence: (count: number) => string
  readonly #now: () => number
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @param sentence what follows the cause: `3 spans are lost.` */
  constructor(sentence: (count: number) => string, now = () => performance.now()) {
    this.#sentence = sentence
    this.#now = now
  }

  report(cause: Cause, count: number): void {
    const known = this.#add(cause, count)
    if (this.#now() >= known.quietUntil) this.#say(known)
    else this.#timer ??= after(known.quietUntil - this.#now(), () => this.#sayLater())
  }

  /** The same, said with {@link reportRest}. */
  reportLater(cause: Cause, count: number): void {
    this.#add(cause, count)
  }

  /** Whether something is still to be said. */
  hasRest(): boolean {
    return this.#rest().length > 0
  }

  /** Says what was not said yet, in one line. */
  reportRest(): void {
    const rest = this.#rest()
    if (rest.length === 0) return
    log.error(rest.map((known) => this.#line(known)).join(' '))
    for (const known of rest) known.count = 0
  }

  #say(known: Known): void {
    known.quietUntil = this.#now() + QUIET_MS
    log.error(this.#line(known))
    known.count = 0
  }

  /** What was lost in the quiet minute, also where nothing is lost any more. */
  #sayLater(): void {
    this.#timer = undefined
    for (const known of this.#rest()) this.#say(known)
  }

  #add(cause: Cause, count: number): Known {
    const known = this.#causes.get(cause.kind) ?? { cause, count: 0, quietUntil: Number.NEGATIVE_INFINITY }
    this.#causes.set(cause.kind, known)
    known.cause = cause
    known.count += count
    return known
  }

  #rest(): Known[] {
    return [...this.#causes.values()].filter(({ count }) => count > 0)
  }

  #line({ cause, count }: Known): string {
    return `${cause.text} ${this.#sentence(count)}`
  }
}
