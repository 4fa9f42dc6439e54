import { hostClock } from '@svc/core/delivery/clock'
import { Delivery } from '@svc/core/delivery/delivery'
import { Ledger } from '@svc/core/delivery/ledger'
import type { Target } from '@svc/core/delivery/outbox-parts'
import { RequestForm } from '@svc/core/delivery/request-form'
import { answererOf, type Verdict } from '@svc/core/delivery/verdict'
import { type ExitRegistration, onExit } from '@svc/core/exit'
import type { SvcHealth } from '@svc/core/health'
import type { HttpSender } from '@svc/core/http-exchange'
import { keepAlive } from '@svc/core/keep-alive'
import type { Outbox } from '@svc/core/outbox'
import { within } from '@svc/core/timers'
import type { ClientSettings } from '../client-settings.ts'
import { ScoreBatcher } from './score-batcher.ts'
import { SvcScoreError } from './score-error.ts'
import { SCORES, scoreFormat } from './score-format.ts'
import { ScoreSpool } from './score-spool.ts'

/** Time-out of a flush in milliseconds, as for spans. */
const FLUSH_LIMIT_MS = 30_000

/**
 * Queues scores, which are JSON strings here, and sends them in batches: when there are enough of them, when the first
 * has waited long enough, on a flush, or when the process ends. Failed batches are retried, as for spans. Does not keep
 * the process alive.
 */
export class ScoreQueue {
  readonly #timeoutMs: number
  readonly #exitMs: number
  readonly #ledger = new Ledger(SCORES)
  readonly #delivery: Delivery
  readonly #batcher: ScoreBatcher
  readonly #spool: ScoreSpool
  /** Registered only while there is something to deliver or log, so that unused clients can be collected. */
  #exit: ExitRegistration | undefined

  constructor(settings: ClientSettings, target: Target, sender: HttpSender) {
    const timeoutMs = settings.timeout * 1_000
    const { transport, shutdownTimeout, baseUrl } = settings
    const form = new RequestForm(false)
    this.#timeoutMs = timeoutMs
    this.#exitMs = shutdownTimeout * 1_000
    this.#delivery = new Delivery({
      noun: SCORES,
      target,
      transport,
      sender,
      timeoutMs,
      ledger: this.#ledger,
      maxAgeMs: settings.maxRetryAge * 1_000,
      maxQueueBytes: settings.maxQueueBytes,
      // A later score replaces an earlier one with the same id.
      keepsOrder: true,
      gaveUp: `gave up on the last scores: ${baseUrl} did not accept them within ${shutdownTimeout} s (SVC_SHUTDOWN_TIMEOUT).`,
      format: scoreFormat(form, answererOf(target.url, transport), timeoutMs),
      onSettled: (verdict) => this.#settled(verdict),
    })
    this.#spool = new ScoreSpool(settings, target, this.#ledger, this.#delivery)
    this.#batcher = new ScoreBatcher({
      form,
      flushAt: settings.flushAt,
      everyMs: settings.flushInterval * 1_000,
      isAhead: settings.spoolDir !== undefined && settings.spool === 'always',
      delivery: this.#delivery,
      clock: hostClock,
    })
  }

  /** Queues a score, or logs that the queue is full. @returns whether it is queued */
  add(text: string): boolean {
    if (!this.#hasRoomFor(text)) return false
    this.#batcher.add(text)
    this.#exit?.added()
    return true
  }

  /**
   * Sends a score in a separate request. Resolves when the service has accepted it. @throws {SvcScoreError} with the
   * reason
   */
  async deliver(text: string): Promise<void> {
    if (!this.#hasRoomFor(text)) throw notTaken('the queue is full.')
    await new Promise<void>((resolve, reject) => {
      this.#batcher.addAlone(text, { accepted: resolve, lost: (cause) => reject(notTaken(cause.text)) })
      this.#exit?.added()
      void this.flush().then(() => {
        const why = this.#delivery.state.cause?.text ?? `no answer within ${FLUSH_LIMIT_MS / 1_000} s.`
        reject(notTaken(`${why} It is still queued, and tried again.`))
      })
    })
  }

  /** Resolves when all scores are sent, or when waiting is pointless. Logs lost scores. Never rejects. */
  async flush(): Promise<void> {
    await this.#flushFor(this.#timeoutMs)
    this.#ledger.logRest()
    this.#leave()
  }

  /** Flushes for the last time, within the shutdown time-out. Scores that are not sent by then are lost and logged. */
  async shutdown(): Promise<void> {
    await within(this.#flushFor(this.#exitMs), this.#exitMs)
    this.#close()
    this.#spool.close()
    this.#leave()
  }

  health(): SvcHealth {
    const { ended, sent, dropped } = this.#ledger
    return { ...this.#delivery.health(), ended, sent, pending: this.#pending, dropped }
  }

  get #pending(): number {
    return this.#batcher.items + this.#delivery.pending
  }

  #hasRoomFor(text: string): boolean {
    this.#ledger.end()
    this.#register()
    return this.#delivery.hasRoomFor(text.length)
  }

  #settled(verdict: Verdict): void {
    if (verdict.kind !== 'accepted') this.#spool.open()
    this.#batcher.sealIfFull()
    this.#leave()
  }

  #register(): void {
    this.#exit ??= onExit({
      timeoutMs: this.#exitMs,
      pending: () => this.#pending > 0 || this.#ledger.hasRest,
      flush: (atExit, limitMs) => {
        if (limitMs !== undefined) return this.#flushFor(limitMs, limitMs)
        return atExit ? this.#flushFor(this.#exitMs) : this.flush()
      },
      outbox: () => this.#outbox(),
      goOn: () => this.#delivery.goOn(),
      close: () => this.#close(),
    })
    this.#exit.listen()
  }

  #flushFor(idleMs: number, totalMs = FLUSH_LIMIT_MS): Promise<void> {
    return keepAlive(this.#delivery.flush(this.#batcher, { idleMs, totalMs }), totalMs)
  }

  #outbox(): Outbox {
    this.#spool.open()
    return this.#delivery.outbox(this.#batcher)
  }

  /** Drops the remaining scores, or leaves them in the spool. */
  #close(): void {
    if (this.#pending > 0) this.#spool.open()
    this.#delivery.close(this.#batcher)
    this.#ledger.close(this.#delivery.pending)
  }

  /** Unregisters if there is nothing left to deliver or log. */
  #leave(): void {
    if (this.#pending > 0 || this.#ledger.hasRest) return
    this.#spool.rest()
    this.#exit?.remove()
    this.#exit = undefined
  }
}

function notTaken(reason: string): SvcScoreError {
  return new SvcScoreError(`The score was not taken: ${reason}`)
}
