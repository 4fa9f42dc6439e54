import { log } from '../log.ts'
import { after } from '../timers.ts'
import type { EndpointState, Phase } from './endpoint-state.ts'
import { capitalized, type Noun } from './noun.ts'

/** Milliseconds from the first failure to the log line: most endpoints have recovered by then. */
const ANNOUNCE_AFTER_MS = { ok: 0, paused: 10_000, refused: 1_000 } as const
/** Milliseconds after which a refusal is logged again, with the current number of waiting items. */
const REPEAT_AFTER_MS = 3_600_000

/** Logs that items wait, with the reason, and when delivery works again. The ledger logs losses. */
export class Announcer {
  readonly #state: EndpointState
  readonly #waiting: () => number
  readonly #host: string
  readonly #noun: Noun
  #timer: ReturnType<typeof setTimeout> | undefined
  /** The phase that was logged last, and the one to log next. */
  #announced: Phase = 'ok'
  #next: Phase = 'ok'

  /** @param waiting returns how many items wait */
  constructor(state: EndpointState, host: string, noun: Noun, waiting: () => number) {
    this.#state = state
    this.#host = host
    this.#noun = noun
    this.#waiting = waiting
  }

  /** To be called when the state may have changed. */
  update(): void {
    const { phase } = this.#state
    if (phase === this.#next) return
    this.stop()
    this.#next = phase
    if (phase !== 'ok') {
      this.#timer = after(phase === this.#announced ? REPEAT_AFTER_MS : ANNOUNCE_AFTER_MS[phase], () =>
        this.#announce(),
      )
    } else if (this.#announced !== 'ok') {
      log.info(`${this.#host} accepts ${this.#noun.many} again.`)
      this.#announced = 'ok'
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #announce(): void {
    const { phase, cause } = this.#state
    if (phase === 'ok' || !cause) return
    this.#announced = phase
    const when = phase === 'refused' ? 'every minute' : 'until they are too old (SVC_OTEL_MAX_RETRY_AGE)'
    log.warn(`${cause.text} ${capitalized(this.#noun)} wait (${this.#waiting()}) and are retried ${when}.`)
    if (phase === 'refused') this.#timer = after(REPEAT_AFTER_MS, () => this.#announce())
  }
}
