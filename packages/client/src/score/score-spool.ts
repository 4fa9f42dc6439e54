import type { Delivery } from '@svc/core/delivery/delivery'
import type { Ledger } from '@svc/core/delivery/ledger'
import type { Target } from '@svc/core/delivery/outbox-parts'
import type { OpenSpool, OpenSpoolParts, openSpool } from '@svc/core/delivery/spool/open-spool'
import { log, messageOf } from '@svc/core/log'
import type { ClientSettings } from '../client-settings.ts'
import { SCORES } from './score-format.ts'

/** Destinations whose leftovers a client of this process sends already. */
const tended = new Set<string>()

/**
 * The spool of a score queue. Its code is loaded if a folder is configured, and it is opened when it is needed, because
 * an application may create a client for each request. The first client opens it at once, to send the scores that
 * another process left.
 */
export class ScoreSpool {
  readonly #settings: ClientSettings
  readonly #parts: Omit<OpenSpoolParts, 'settings'>
  readonly #delivery: Delivery
  readonly #isFirst: boolean
  #openSpool: typeof openSpool | undefined
  #open: OpenSpool | undefined

  constructor(settings: ClientSettings, target: Target, ledger: Ledger, delivery: Delivery) {
    const { spoolDir, spool, publicKey } = settings
    const place = JSON.stringify([spoolDir, target.url, publicKey])
    this.#settings = settings
    this.#parts = { target, ledger, noun: SCORES, onReady: () => delivery.run() }
    this.#delivery = delivery
    this.#isFirst = spoolDir !== undefined && !tended.has(place)
    if (spoolDir === undefined) return
    tended.add(place)
    void this.#load().then(() => {
      if (this.#isFirst || spool === 'always') this.open()
    })
  }

  /** Opens the spool, if its code is loaded. */
  open(): void {
    if (this.#open || !this.#openSpool) return
    this.#open = this.#openSpool({ settings: this.#settings, ...this.#parts })
    if (this.#open) this.#delivery.useSpool(this.#open)
  }

  /** Closes the spool while it is not needed. */
  rest(): void {
    if (!this.#isFirst && this.#settings.spool !== 'always') this.close()
  }

  close(): void {
    this.#open?.spool.close()
    this.#open = undefined
    this.#delivery.useSpool(undefined)
  }

  async #load(): Promise<void> {
    try {
      const code = await import('@svc/core/delivery/spool/open-spool')
      this.#openSpool = code.openSpool
    } catch (error) {
      log.once('warn', `SVC_OTEL_SPOOL_DIR cannot be used, so no score is kept on disk: ${messageOf(error)}.`)
    }
  }
}
