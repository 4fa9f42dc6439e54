import type { DropReason } from '@svc/core/health'
import type { HttpResponse } from '@svc/core/http-exchange'
import type { Cause } from '@svc/core/losses'
import type { Outbox, Outgoing } from '@svc/core/outbox'
import type { Transport } from '@svc/core/transport'
import type { Target } from '../request.ts'
import type { ByteBudget } from './byte-budget.ts'
import type { Clock } from './clock.ts'
import type { EndpointState } from './endpoint-state.ts'
import { HeldBatches } from './held-batches.ts'
import type { Ledger } from './ledger.ts'
import { Refusals } from './refusals.ts'
import type { RequestForm } from './request-form.ts'
import { fitted, halves, inEncoding, type SealedBatch } from './sealed-batch.ts'
import type { Spool } from './spool/spool.ts'
import { answererOf, tooOld, type Verdict, verdictOf } from './verdict.ts'

/** Milliseconds between two looks at what has become too old. */
const EXPIRE_EVERY_MS = 1_000

export interface SpanOutboxParts {
  readonly target: Target
  readonly transport: Transport
  /** Milliseconds one request may take. */
  readonly timeoutMs: number
  /** Milliseconds a batch is tried for. */
  readonly maxAgeMs: number
  readonly state: EndpointState
  readonly form: RequestForm
  readonly budget: ByteBudget
  readonly ledger: Ledger
  readonly clock: Clock
  readonly spool?: Spool | undefined
  /** Told when something was sent, or was not. */
  readonly onSettled: (verdict: Verdict) => void
}

/**
 * Sealed batches that wait to be sent, and what becomes of each by what the endpoint answers. A batch that failed goes
 * to the back, so none stands in the way of the others. When none waits, those have their turn that were refused as
 * they are, and then those of the spool.
 */
export class SpanOutbox implements Outbox {
  readonly transport: Transport
  readonly #parts: SpanOutboxParts
  readonly #host: string
  readonly #held: HeldBatches
  readonly #refusals: Refusals
  #expireAt = 0
  /** The last hop: what cannot be reached is not waited for. */
  #isEnding = false

  constructor(parts: SpanOutboxParts) {
    this.#parts = parts
    this.transport = parts.transport
    this.#host = answererOf(parts.target.url, parts.transport)
    this.#held = new HeldBatches(parts.budget)
    this.#refusals = new Refusals(parts.state, parts.clock)
  }

  /** Spans in memory, waiting or under way. */
  get spans(): number {
    return this.#held.spans
  }

  /** Nothing is here but spans that were refused as they are and are not to be tried now. */
  get hasOnlyRefused(): boolean {
    return this.#held.underWay === 0 && this.#held.waiting === 0 && this.#refusals.wait(this.#held.refused) > 0
  }

  /** Whether it holds something of this epoch or an earlier one. */
  holds(epoch: number): boolean {
    return this.#held.has(epoch)
  }

  add(batch: SealedBatch): void {
    this.#held.push(batch)
  }

  wait(): number | undefined {
    const { state, spool } = this.#parts
    if (this.#isEnding && this.#isHopeless) return undefined
    const hasNext = this.#held.waiting > 0 || (spool?.hasNext && !this.#isEnding)
    const next = hasNext ? 0 : this.#refusals.wait(this.#held.refused)
    if (next === Number.POSITIVE_INFINITY || (next > 0 && this.#isEnding)) return undefined
    const pause = state.wait(this.#held.underWay)
    return pause === undefined ? undefined : Math.max(pause, next)
  }

  take(): Outgoing | undefined {
    const { target, timeoutMs, clock, form } = this.#parts
    this.#expire()
    const next = this.wait() === 0 ? this.#next() : undefined
    const batch = next && this.#first(fitted(next, form))
    if (!batch) {
      this.#lookForMore()
      return undefined
    }
    this.#held.start(batch)
    const startedAt = clock.now()
    const headers = batch.isCompressed ? { ...target.headers, 'content-encoding': 'gzip' } : target.headers
    return {
      request: { method: 'POST', url: target.url, headers, body: batch.body, timeoutMs },
      settle: (outcome) => this.#settle(batch, startedAt, outcome),
    }
  }

  /** Makes room in memory for so many bytes, where there is a spool. @returns whether there is room */
  spill(bytes: number): boolean {
    const { budget } = this.#parts
    while (!budget.hasRoomFor(bytes)) {
      const { first } = this.#held
      if (!first || !this.#spooled(first)) return false
      this.#held.shift()
    }
    return true
  }

  /** The process ends: what is under way has to be sent once more, for its answers will not be heard. */
  end(): void {
    this.#isEnding = true
    this.#parts.state.hurry()
    this.#held.recall()
  }

  /** The process goes on after all. */
  goOn(): void {
    this.#isEnding = false
  }

  /** Lets go of everything. What no spool takes is lost, because of `cause` where there is no better reason. */
  close(cause: Cause): void {
    this.#held.recall()
    for (const batch of this.#held.remove(() => true)) {
      if (!this.#spooled(batch)) this.#parts.ledger.dropAtEnd(batch.spans, batch.refusal?.cause ?? cause)
    }
  }

  #next(): SealedBatch | undefined {
    if (this.#held.waiting > 0) return this.#held.shift()
    const refused = this.#held.shiftRefused((batch) => this.#refusals.isDue(batch))
    return refused ? this.#first(halves(refused) ?? [refused]) : this.#parts.spool?.take()
  }

  /** One batch became several: the first of them, and the others wait. */
  #first(pieces: readonly SealedBatch[]): SealedBatch | undefined {
    for (const piece of pieces.slice(1).reverse()) {
      this.#held.unshift(piece)
      if (piece.entry) this.#parts.spool?.split(piece.entry)
    }
    return pieces[0]
  }

  #settle(batch: SealedBatch, startedAt: number, outcome: HttpResponse | Error): void {
    // It was sent once more at the end of the process, which then went on.
    if (!this.#held.finish(batch)) return
    const verdict = verdictOf(outcome, this.#host, this.#parts.timeoutMs)
    this.#apply(verdict, batch, startedAt)
    this.#parts.onSettled(verdict)
  }

  #apply(verdict: Verdict, batch: SealedBatch, startedAt: number): void {
    const { state, form, ledger } = this.#parts
    switch (verdict.kind) {
      case 'accepted': {
        const rejected = Math.min(verdict.rejected, batch.spans)
        state.succeeded(startedAt)
        this.#refusals.accepted()
        this.#forget(batch)
        ledger.send(batch.spans - rejected)
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
        form.refusesCompression()
        const plain = inEncoding(batch, false)
        if (!batch.isCompressed) state.refused(verdict.cause)
        if (plain.isCompressed) this.#refuse(batch, startedAt, verdict.cause, 'rejected')
        else this.#held.unshift(plain)
        break
      }
      case 'split':
        if (verdict.reason === 'too_large') form.tooLarge(batch.rawSize)
        if (verdict.reason === 'too_large' && form.isTooLarge(batch)) this.#held.unshift(batch)
        else this.#refuse(batch, startedAt, verdict.cause, verdict.reason)
    }
  }

  #refuse(batch: SealedBatch, startedAt: number, cause: Cause, reason: DropReason): void {
    if (this.#refusals.isLast(batch)) {
      this.#forget(batch)
      this.#parts.ledger.drop(reason, batch.spans, cause)
    } else {
      this.#held.refuse(this.#refusals.add(batch, cause, startedAt))
    }
  }

  /** A batch that did not get through goes to the back; one of the spool to where it came from. */
  #again(batch: SealedBatch): void {
    const isReplayed = batch.epoch === Number.POSITIVE_INFINITY
    if (!isReplayed || !this.#spooled(batch)) this.#held.push(batch)
  }

  /** Gives up what is too old. What waits for the right keys waits as long as there is room. */
  #expire(): void {
    const { state, ledger, clock, maxAgeMs } = this.#parts
    const now = clock.now()
    if (state.phase === 'refused' || now < this.#expireAt) return
    this.#expireAt = now + EXPIRE_EVERY_MS
    const oldest = now - maxAgeMs
    for (const batch of this.#held.remove(({ sealedAt }) => sealedAt < oldest)) {
      if (this.#spooled(batch)) continue
      this.#forget(batch)
      ledger.drop('max_retry_age', batch.spans, tooOld(batch.refusal?.cause ?? state.cause, this.#host, maxAgeMs))
    }
  }

  /** Where there is a spool, what does not get through at once can wait for the next start. */
  get #isHopeless(): boolean {
    const { state, spool } = this.#parts
    return state.phase === 'refused' || state.isUnreachable || (spool !== undefined && state.isUnanswered)
  }

  #lookForMore(): void {
    const { spool, state } = this.#parts
    const isIdle = this.#held.waiting === 0 && state.phase === 'ok' && !this.#isEnding
    if (isIdle && !spool?.hasNext) spool?.take()
  }

  /** Moves a batch to the spool. @returns whether it is there */
  #spooled(batch: SealedBatch): boolean {
    const isThere = this.#parts.spool?.put(batch) ?? false
    if (isThere) batch.ahead?.remove()
    return isThere
  }

  #forget({ entry, ahead }: SealedBatch): void {
    if (entry) this.#parts.spool?.done(entry)
    ahead?.remove()
  }
}
