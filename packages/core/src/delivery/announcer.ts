import { log } from '../log.ts'
import { after } from '../timers.ts'
import { hostClock } from './clock.ts'
import type { EndpointState, Phase } from './endpoint-state.ts'
import { capitalized, type Noun } from './noun.ts'

/** Milliseconds from the first failure to the log line: most endpoints have recovered by then. */
const ANNOUNCE_AFTER_MS = { paused: 10_000, refused: 1_000 } as const
/** Milliseconds after which a refusal is logged again, with the current number of waiting items. */
const REPEAT_AFTER_MS = 3_600_000

/** Logs that items wait, with the reason, and when delivery works again. The ledger logs losses. */
export class Announcer {
  readonly #state: EndpointState
  readonly #waiting: () => number
  readonly #host: string
  readonly #noun: Noun
  readonly #isCutOff: boolean
  #timer: ReturnType<typeof setTimeout> | undefined
  /** When the timer is due: hosts that cut requests off end timers with them. */
  #due = Number.POSITIVE_INFINITY
  /** The phase that was logged last, and the one to log next. */
  #announced: Phase = 'ok'
  #next: Phase = 'ok'

  /**
   * @param waiting returns how many items wait
   * @param isCutOff whether nobody may look for a while after a refusal, which is then logged at once
   */
  constructor(state: EndpointState, host: string, noun: Noun, waiting: () => number, isCutOff = false) {
    this.#isCutOff = isCutOff
    this.#state = state
    this.#host = host
    this.#noun = noun
    this.#waiting = waiting
  }

  /** To be called when the state may have changed. */
  update(): void {
    const { phase } = this.#state
    if (phase === this.#next) {
      if (hostClock.now() >= this.#due) this.#announce()
      return
    }
    this.stop()
    this.#next = phase
    if (phase === this.#announced && phase !== 'ok') this.#announceAfter(REPEAT_AFTER_MS)
    else if (phase === 'refused' && this.#isCutOff) this.#announce()
    else if (phase !== 'ok') this.#announceAfter(ANNOUNCE_AFTER_MS[phase])
    else if (this.#announced !== 'ok') {
      log.info(`${this.#host} accepts ${this.#noun.many} again.`)
      this.#announced = 'ok'
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#due = Number.POSITIVE_INFINITY
  }

  #announceAfter(ms: number): void {
    this.#due = hostClock.now() + ms
    this.#timer = after(ms, () => this.#announce())
  }

  #announce(): void {
    this.stop()
    const { phase, cause } = this.#state
    if (phase === 'ok' || !cause) return
    this.#announced = phase
    const when = phase === 'refused' ? 'every minute' : 'until they are too old (SVC_OTEL_MAX_RETRY_AGE)'
    log.warn(`${cause.text} ${capitalized(this.#noun)} wait (${this.#waiting()}) and are retried ${when}.`)
    if (phase === 'refused') this.#announceAfter(REPEAT_AFTER_MS)
  }
}
