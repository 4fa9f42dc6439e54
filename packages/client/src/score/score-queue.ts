import { hostClock } from '@svc/core/delivery/clock'
import { Delivery, type FlushLimits } from '@svc/core/delivery/delivery'
import { Ledger } from '@svc/core/delivery/ledger'
import type { Target } from '@svc/core/delivery/outbox-parts'
import { RequestForm } from '@svc/core/delivery/request-form'
import type { SealedBatch } from '@svc/core/delivery/sealed-batch'
import { answererOf, type Verdict } from '@svc/core/delivery/verdict'
import { type ExitRegistration, onExit } from '@svc/core/exit'
import type { SvcHealth } from '@svc/core/health'
import { bodyText, type HttpResponse, type HttpSender } from '@svc/core/http-exchange'
import { keepAlive } from '@svc/core/keep-alive'
import type { Outbox } from '@svc/core/outbox'
import { within } from '@svc/core/timers'
import type { ClientSettings } from '../client-settings.ts'
import { AwaitedScores } from './awaited-scores.ts'
import { logRejection, rejectionIn } from './rejection.ts'
import { ScoreBatcher } from './score-batcher.ts'
import { SCORES, scoreFormat } from './score-format.ts'
import type { ScoreSender } from './score-sender.ts'
import { ScoreSpool } from './score-spool.ts'

/** Time-out of a flush in milliseconds, as for spans. */
const FLUSH_LIMIT_MS = 30_000

/**
 * Queues scores and sends them in batches: when there are enough of them, when the first has waited long enough, on a
 * flush, or when the process ends. Failed batches are retried, as for spans. Does not keep the process alive.
 */
export class ScoreQueue implements ScoreSender {
  readonly #limits: FlushLimits
  readonly #exitMs: number
  readonly #ledger = new Ledger(SCORES)
  readonly #awaited = new AwaitedScores()
  readonly #delivery: Delivery
  readonly #batcher: ScoreBatcher
  readonly #spool: ScoreSpool
  /** Registered only while there is something to deliver or log, so that unused clients can be collected. */
  #exit: ExitRegistration | undefined

  constructor(settings: ClientSettings, target: Target, sender: HttpSender) {
    const timeoutMs = settings.timeout * 1_000
    const { transport, shutdownTimeout, baseUrl } = settings
    const form = new RequestForm(false)
    this.#limits = { idleMs: timeoutMs, totalMs: FLUSH_LIMIT_MS }
    this.#exitMs = shutdownTimeout * 1_000
    this.#delivery = new Delivery(
      {
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
        format: () => scoreFormat(form, answererOf(target.url, transport), timeoutMs),
        isAwaited: (batch) => this.#awaited.has(batch),
        onAccepted: (batch, outcome) => this.#accepted(batch, outcome),
        onLost: (batch, { text }) => this.#awaited.lost(batch, text),
        onSettled: (verdict) => this.#settled(verdict),
      },
      () => this.#batcher,
    )
    this.#spool = new ScoreSpool({
      settings,
      target,
      ledger: this.#ledger,
      delivery: this.#delivery,
      onOpen: () => this.#batcher.goAhead(),
    })
    this.#batcher = new ScoreBatcher({
      form,
      flushAt: settings.flushAt,
      everyMs: settings.flushInterval * 1_000,
      budget: this.#delivery.budget,
      clock: hostClock,
      ahead: () => this.#delivery.ahead,
      isBusy: () => this.#delivery.isBusy,
      onSealed: (batch) => this.#delivery.add(batch),
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
  async deliver(id: string, text: string): Promise<void> {
    const taken = this.#awaited.wait(id)
    if (this.#hasRoomFor(text)) {
      this.#batcher.addAlone(text)
      this.#exit?.added()
      const { state } = this.#delivery
      void this.flush().then(() => {
        const why = state.cause?.text ?? `no answer within ${FLUSH_LIMIT_MS / 1_000} s.`
        this.#awaited.giveUp(id, `${why} It is still queued, and tried again.`)
      })
    } else {
      this.#awaited.giveUp(id, 'the queue is full.')
    }
    await taken
  }

  /** Resolves when all scores are sent, or when waiting is pointless. Logs lost scores. Never rejects. */
  async flush(): Promise<void> {
    await keepAlive(this.#delivery.flush(this.#limits), FLUSH_LIMIT_MS)
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
    return { ...this.#delivery.health(), ended, sent, pending: this.#delivery.pending, dropped }
  }

  #hasRoomFor(text: string): boolean {
    this.#ledger.end()
    this.#register()
    return this.#delivery.hasRoomFor(text.length)
  }

  #accepted(batch: SealedBatch, outcome: HttpResponse): void {
    const rejection = outcome.status === 207 ? rejectionIn(bodyText(outcome)) : undefined
    if (outcome.status === 207) logRejection(rejection, batch.items)
    if (rejection && rejection.rejected !== 0) this.#awaited.lost(batch, rejection.reasons.join('; '))
    else this.#awaited.taken(batch)
  }

  #settled(verdict: Verdict): void {
    if (verdict.kind !== 'accepted') this.#spool.open()
    this.#batcher.sealIfFull()
    this.#leave()
  }

  #register(): void {
    this.#exit ??= onExit({
      timeoutMs: this.#exitMs,
      pending: () => this.#delivery.pending > 0 || this.#ledger.hasRest,
      flush: (atExit) => (atExit ? this.#flushFor(this.#exitMs) : this.flush()),
      outbox: () => this.#outbox(),
      goOn: () => this.#delivery.goOn(),
      close: () => this.#close(),
    })
    this.#exit.listen()
  }

  #flushFor(limitMs: number): Promise<void> {
    const flushed = this.#delivery.flush({ idleMs: limitMs, totalMs: FLUSH_LIMIT_MS })
    return keepAlive(flushed, FLUSH_LIMIT_MS)
  }

  #outbox(): Outbox {
    this.#spool.open()
    return this.#delivery.outbox()
  }

  /** Drops the remaining scores, or leaves them in the spool. */
  #close(): void {
    if (this.#delivery.pending > 0) this.#spool.open()
    this.#delivery.close()
    this.#ledger.close(this.#delivery.pending)
  }

  /** Unregisters if there is nothing left to deliver or log. */
  #leave(): void {
    if (this.#delivery.pending > 0 || this.#ledger.hasRest) return
    this.#spool.rest()
    this.#exit?.remove()
    this.#exit = undefined
  }
}
