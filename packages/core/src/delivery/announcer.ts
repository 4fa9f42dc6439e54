import { log } from '../log.ts'
import { after } from '../timers.ts'
import type { EndpointState, Phase } from './endpoint-state.ts'
import { capitalized, type Noun } from './noun.ts'

/** Milliseconds that an endpoint may be away before it is said: most are back by then. */
const PATIENCE_MS = { ok: 0, paused: 10_000, refused: 1_000 } as const
/** Milliseconds after which a refusal is said again, with what waits by then. */
const AGAIN_MS = 3_600_000

/** Tells the user that items wait, why, and when they no longer do. Nothing is lost yet: losses are told elsewhere. */
export class Announcer {
  readonly #state: EndpointState
  readonly #waiting: () => number
  readonly #host: string
  readonly #noun: Noun
  #timer: ReturnType<typeof setTimeout> | undefined
  /** What the user knows, and will hear next. */
  #told: Phase = 'ok'
  #next: Phase = 'ok'

  /** @param waiting how many items wait */
  constructor(state: EndpointState, host: string, noun: Noun, waiting: () => number) {
    this.#state = state
    this.#host = host
    this.#noun = noun
    this.#waiting = waiting
  }

  /** To be called when the state may have changed. */
  look(): void {
    const { phase } = this.#state
    if (phase === this.#next) return
    this.stop()
    this.#next = phase
    if (phase !== 'ok') {
      this.#timer = after(phase === this.#told ? AGAIN_MS : PATIENCE_MS[phase], () => this.#tell())
    } else if (this.#told !== 'ok') {
      log.info(`${this.#host} takes ${this.#noun.many} again.`)
      this.#told = 'ok'
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #tell(): void {
    const { phase, cause } = this.#state
    if (phase === 'ok' || !cause) return
    this.#told = phase
    const when = phase === 'refused' ? 'every minute' : 'until they are too old (SVC_OTEL_MAX_RETRY_AGE)'
    log.warn(`${cause.text} ${capitalized(this.#noun)} wait (${this.#waiting()}) and are tried ${when}.`)
    if (phase === 'refused') this.#timer = after(AGAIN_MS, () => this.#tell())
  }
}
