import { log } from './log.ts'
import { after } from './timers.ts'

/** Why items were lost: `kind` identifies the cause, `text` says what happened and what to do. */
export interface Cause {
  readonly kind: string
  readonly text: string
}

const QUIET_MS = 60_000

/** What was lost to one cause. */
export interface Loss {
  cause: Cause
  /** Lost items that are not logged yet. */
  count: number
  quietUntil: number
}

/**
 * Logs all losses: one line per cause at once, then at most one per minute with the number lost since, and at the end
 * one line for the rest.
 */
export class Losses {
  readonly #causes = new Map<string, Loss>()
  readonly #sentence: (count: number) => string
  readonly #now: () => number
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @param sentence what follows the cause: `3 spans are lost.` */
  constructor(sentence: (count: number) => string, now = () => performance.now()) {
    this.#sentence = sentence
    this.#now = now
  }

  report(cause: Cause, count: number): void {
    const loss = this.add(cause, count)
    if (this.#now() >= loss.quietUntil) this.#logOne(loss)
    else this.#timer ??= after(loss.quietUntil - this.#now(), () => this.#logQuiet())
  }

  /** Like {@link report}, but for the caller to log, with the rest. */
  add(cause: Cause, count: number): Loss {
    const loss = this.#causes.get(cause.kind) ?? { cause, count: 0, quietUntil: Number.NEGATIVE_INFINITY }
    this.#causes.set(cause.kind, loss)
    loss.cause = cause
    loss.count += count
    return loss
  }

  /** The losses that are not logged yet. */
  rest(): Loss[] {
    return [...this.#causes.values()].filter(({ count }) => count > 0)
  }

  /** Logs losses in one line. */
  log(losses: readonly Loss[]): void {
    if (losses.length === 0) return
    log.error(losses.map(({ cause, count }) => `${cause.text} ${this.#sentence(count)}`).join(' '))
    for (const loss of losses) loss.count = 0
  }

  #logOne(loss: Loss): void {
    loss.quietUntil = this.#now() + QUIET_MS
    this.log([loss])
  }

  /** Logs the losses of the quiet minute, even if none followed. */
  #logQuiet(): void {
    this.#timer = undefined
    for (const loss of this.rest()) this.#logOne(loss)
  }
}
