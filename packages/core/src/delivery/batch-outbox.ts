import type { DropReason } from '../health.ts'
import type { HttpResponse } from '../http-exchange.ts'
import type { Cause } from '../losses.ts'
import type { Outbox, Outgoing } from '../outbox.ts'
import type { Transport } from '../transport.ts'
import { HeldBatches } from './held-batches.ts'
import type { BatchOutboxParts } from './outbox-parts.ts'
import { Refusals } from './refusals.ts'
import type { SealedBatch } from './sealed-batch.ts'
import type { Spool } from './spool/spool.ts'
import type { Verdict } from './verdict.ts'

/** Milliseconds between two checks for batches that are too old. */
const EXPIRE_EVERY_MS = 1_000
/** Milliseconds that a request which does not settle has beyond its time limit, before it counts as cut off. */
const CUT_OFF_MS = 1_000

/**
 * Sealed batches that wait to be sent; the endpoint's response decides whether one is done, retried, split or dropped.
 * A failed batch goes to the back of the queue, so that it does not block the others. When none waits, rejected batches
 * are sent, then those of the spool.
 */
export class BatchOutbox implements Outbox {
  readonly transport: Transport
  readonly #parts: BatchOutboxParts
  readonly #held: HeldBatches
  readonly #refusals: Refusals
  #expireAt = 0
  /** Set for the last hop: an endpoint that cannot be reached is not waited for. */
  #isEnding = false

  constructor(parts: BatchOutboxParts) {
    this.#parts = parts
    this.transport = parts.transport
    this.#held = new HeldBatches(parts.budget)
    this.#refusals = new Refusals(parts.state, parts.clock, parts.format.canBeHalved)
  }

  /** Items in memory: waiting or in a request. */
  get items(): number {
    return this.#held.items
  }

  /** Batches that wait for other requests, or for the endpoint. */
  get waiting(): number {
    return this.#held.waiting
  }

  /** Whether it holds nothing but rejected items that are not to be retried now. */
  get hasOnlyRefused(): boolean {
    return this.#held.underWay === 0 && this.#held.waiting === 0 && this.#refusals.wait(this.#held.refused) > 0
  }

  /** Whether it holds items of this epoch or an earlier one. */
  holds(epoch: number): boolean {
    return this.#held.has(epoch)
  }

  add(batch: SealedBatch): void {
    this.#held.push(batch)
  }

  wait(): number | undefined {
    const { state } = this.#parts
    if (this.#isEnding && this.#isHopeless) return undefined
    const hasNext = this.#held.waiting > 0 || (this.#spool?.hasNext && !this.#isEnding)
    const next = hasNext ? 0 : this.#refusals.wait(this.#held.refused)
    if (next === Number.POSITIVE_INFINITY || (next > 0 && this.#isEnding)) return undefined
    const pause = state.wait(this.#held.underWay)
    return pause === undefined ? undefined : Math.max(pause, next)
  }

  take(): Outgoing | undefined {
    const { target, timeoutMs, clock, format, isCutOff } = this.#parts
    this.#expire()
    if (isCutOff) this.#held.recall(clock.now() - timeoutMs - CUT_OFF_MS)
    const next = this.wait() === 0 ? this.#next() : undefined
    const batch = next && this.#first(format.fitted(next))
    if (!batch) {
      this.#lookForMore()
      return undefined
    }
    const startedAt = clock.now()
    this.#held.start(batch, startedAt)
    const headers = batch.isCompressed ? { ...target.headers, 'content-encoding': 'gzip' } : target.headers
    return {
      request: { method: 'POST', url: target.url, headers, body: batch.body, timeoutMs },
      settle: (outcome) => this.#settle(batch, startedAt, outcome),
    }
  }

  /** Makes room for `bytes` in memory by moving batches to the spool. @returns whether there is room */
  spill(bytes: number): boolean {
    const { budget } = this.#parts
    while (!budget.hasRoomFor(bytes)) {
      const { first } = this.#held
      if (!first || !this.#spooled(first)) return false
      this.#held.shift()
    }
    return true
  }

  /** The process ends: batches in a request are sent once more, because no answer will be received. */
  end(): void {
    this.#isEnding = true
    this.#parts.state.skipPause()
    this.#held.recall()
  }

  /** The process goes on after all. */
  goOn(): void {
    this.#isEnding = false
  }

  /** Releases everything. Batches that the spool does not accept are lost, for `cause` unless their own is known. */
  close(cause: Cause): void {
    this.#held.recall()
    // By age, and not as they wait: a full spool drops what was written first.
    for (const batch of this.#held.remove(() => true).toSorted((a, b) => a.sealedAt - b.sealedAt)) {
      if (this.#spooled(batch)) continue
      const why = batch.refusal?.cause ?? cause
      this.#parts.ledger.dropAtEnd(batch.items, why)
      batch.awaited?.lost(why)
    }
  }

  get #spool(): Spool | undefined {
    return this.#parts.spool()
  }

  #next(): SealedBatch | undefined {
    if (this.#held.waiting > 0) return this.#held.shift()
    const refused = this.#held.shiftRefused((batch) => this.#refusals.isDue(batch))
    return refused ? this.#first(this.#parts.format.halves(refused) ?? [refused]) : this.#spool?.take()
  }

  /** Returns the first piece of a split batch, and queues the others. */
  #first(pieces: readonly SealedBatch[]): SealedBatch | undefined {
    for (const piece of pieces.slice(1).reverse()) {
      this.#held.unshift(piece)
      if (piece.entry) this.#spool?.split(piece.entry)
    }
    return pieces[0]
  }

  #settle(batch: SealedBatch, startedAt: number, outcome: HttpResponse | Error): void {
    // A repeated request from an end of the process that did not happen.
    if (!this.#held.finish(batch)) return
    const verdict = this.#parts.format.verdictOf(outcome, batch)
    this.#apply(verdict, batch, startedAt)
    if (verdict.kind === 'accepted') batch.awaited?.accepted()
    this.#parts.onSettled(verdict)
  }

  #apply(verdict: Verdict, batch: SealedBatch, startedAt: number): void {
    const { state, format, ledger } = this.#parts
    switch (verdict.kind) {
      case 'accepted': {
        const rejected = Math.min(verdict.rejected, batch.items)
        state.succeeded(startedAt)
        this.#refusals.accepted()
        this.#forget(batch)
        ledger.send(batch.items - rejected)
        ledger.drop('rejected', rejected, verdict.cause)
        break
      }
      case 'retry':
        state.failed(verdict.cause, startedAt, verdict)
        this.#again(batch)
        break
      case 'refused':
        state.refused(verdict.cause)
        this.#again(batch)
        break
      case 'uncompressed': {
        const plain = format.uncompressed(batch)
        if (!batch.isCompressed) state.refused(verdict.cause)
        if (plain.isCompressed) this.#refuse(batch, startedAt, verdict.cause, 'rejected')
        else this.#held.unshift(plain)
        break
      }
      case 'split':
        if (verdict.reason === 'too_large' && format.tooLarge(batch)) this.#held.unshift(batch)
        else this.#refuse(batch, startedAt, verdict.cause, verdict.reason)
    }
  }

  #refuse(batch: SealedBatch, startedAt: number, cause: Cause, reason: DropReason): void {
    if (this.#refusals.isLast(batch) || batch.awaited) this.#lose(batch, reason, cause)
    else this.#held.refuse(this.#refusals.add(batch, cause, startedAt))
  }

  /** A batch that failed waits again: in memory, or in the spool if it came from there. */
  #again(batch: SealedBatch): void {
    const isReplayed = batch.epoch === Number.POSITIVE_INFINITY
    if (isReplayed && this.#spooled(batch)) return
    if (this.#parts.keepsOrder) this.#held.putBack(batch)
    else this.#held.push(batch)
  }

  /** Drops batches that are too old. While the keys are refused, batches wait as long as memory allows. */
  #expire(): void {
    const { state, clock, maxAgeMs, tooOld } = this.#parts
    const now = clock.now()
    if (state.phase === 'refused' || now < this.#expireAt) return
    this.#expireAt = now + EXPIRE_EVERY_MS
    const oldest = now - maxAgeMs
    for (const batch of this.#held.remove(({ sealedAt }) => sealedAt < oldest)) {
      if (this.#spooled(batch)) continue
      this.#lose(batch, 'max_retry_age', tooOld(batch.refusal?.cause ?? state.cause))
    }
  }

  /** With a spool, batches that fail at once can wait for the next start. */
  get #isHopeless(): boolean {
    const { state } = this.#parts
    return state.phase === 'refused' || state.isUnreachable || (this.#spool !== undefined && state.isUnanswered)
  }

  #lookForMore(): void {
    const isIdle = this.#held.waiting === 0 && this.#parts.state.phase === 'ok' && !this.#isEnding
    if (isIdle && !this.#spool?.hasNext) this.#spool?.take()
  }

  /** Moves a batch to the spool. @returns whether it is there */
  #spooled(batch: SealedBatch): boolean {
    const isThere = this.#spool?.put(batch) ?? false
    if (isThere) batch.ahead?.remove()
    return isThere
  }

  #lose(batch: SealedBatch, reason: DropReason, cause: Cause): void {
    this.#forget(batch)
    this.#parts.ledger.drop(reason, batch.items, cause)
    batch.awaited?.lost(cause)
  }

  #forget({ entry, ahead }: SealedBatch): void {
    if (entry) this.#spool?.done(entry)
    ahead?.remove()
  }
}
