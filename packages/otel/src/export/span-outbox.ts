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
import type { RequestForm } from './request-form.ts'
import { halves, inEncoding, type SealedBatch } from './sealed-batch.ts'
import type { Spool } from './spool/spool.ts'
import { type Verdict, verdictOf } from './verdict.ts'

/** Batches refused as they are, with none accepted in between, after which it is not the spans. */
const REFUSED_IN_A_ROW = 20

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
 * to the back, so none stands in the way of the others. When none waits, those of the spool are sent.
 */
export class SpanOutbox implements Outbox {
  readonly transport: Transport
  readonly #parts: SpanOutboxParts
  readonly #host: string
  readonly #held: HeldBatches
  #refusedInARow = 0
  /** The last hop: what cannot be reached is not waited for. */
  #isEnding = false

  constructor(parts: SpanOutboxParts) {
    this.#parts = parts
    this.transport = parts.transport
    this.#host = new URL(parts.target.url).host
    this.#held = new HeldBatches(parts.budget)
  }

  /** Spans in memory, waiting or under way. */
  get spans(): number {
    return this.#held.spans
  }

  /** Nothing is here but spans that were refused as they are. */
  get hasOnlySuspects(): boolean {
    return this.#held.underWay === 0 && this.#held.waiting.every(({ suspectSince }) => suspectSince !== undefined)
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
    if (this.#held.waiting.length === 0 && (this.#isEnding || !spool?.hasNext)) return undefined
    if (this.#isEnding && this.#isHopeless) return undefined
    return state.wait(this.#held.underWay)
  }

  take(): Outgoing | undefined {
    const { target, timeoutMs, clock, form, spool } = this.#parts
    this.#expire()
    const batch = this.wait() === 0 ? (this.#held.shift() ?? spool?.take()) : undefined
    if (!batch) {
      this.#lookForMore()
      return undefined
    }
    const ready = inEncoding(batch, form.compressed)
    this.#held.start(ready)
    const startedAt = clock.now()
    const headers = ready.isCompressed ? { ...target.headers, 'content-encoding': 'gzip' } : target.headers
    return {
      request: { method: 'POST', url: target.url, headers, body: ready.body, timeoutMs },
      settle: (outcome) => this.#settle(ready, startedAt, outcome),
    }
  }

  /** Makes room in memory for so many bytes, where there is a spool. @returns whether there is room */
  spill(bytes: number): boolean {
    const { spool, budget } = this.#parts
    while (!budget.hasRoomFor(bytes)) {
      const [oldest] = this.#held.waiting
      if (!oldest || !spool?.put(oldest)) return false
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

  /** Lets go of everything: the spool has it, where there is one. @returns how many spans are lost */
  clear(): number {
    this.#held.recall()
    return this.#held.remove(() => true).reduce((lost, batch) => lost + (this.#spooled(batch) ? 0 : batch.spans), 0)
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
        this.#refusedInARow = 0
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
      case 'uncompressed':
        if (!batch.isCompressed) state.refused(verdict.cause)
        form.refusesCompression()
        this.#held.unshift(batch)
        break
      case 'split':
        if (verdict.reason === 'too_large') form.tooLarge(batch.rawSize)
        this.#split(batch, startedAt, verdict)
    }
  }

  /**
   * Halves a batch until the span is alone that the endpoint does not take. It is given up when others were taken after
   * it was refused: an endpoint that takes nothing has another reason.
   */
  #split(batch: SealedBatch, startedAt: number, { cause, reason }: Verdict & { kind: 'split' }): void {
    const { state, ledger, clock, spool } = this.#parts
    this.#refusedInARow += 1
    if (batch.spans > 1) {
      if (batch.entry) spool?.split(batch.entry)
      this.#held.unshift(...halves(batch))
    } else if (batch.suspectSince !== undefined && state.lastSuccess > batch.suspectSince) {
      this.#forget(batch)
      ledger.drop(reason, batch.spans, cause)
    } else {
      this.#held.push({ ...batch, suspectSince: batch.suspectSince ?? clock.now() })
      if (this.hasOnlySuspects) state.failed(cause, startedAt)
    }
    if (this.#refusedInARow >= REFUSED_IN_A_ROW) state.refused(cause)
  }

  /** A batch that did not get through goes to the back; one of the spool to where it came from. */
  #again(batch: SealedBatch): void {
    const isReplayed = batch.epoch === Number.POSITIVE_INFINITY
    if (!isReplayed || !this.#spooled(batch)) this.#held.push(batch)
  }

  /** Gives up what is too old. What waits for the right keys waits as long as there is room. */
  #expire(): void {
    const { state, ledger, clock, maxAgeMs } = this.#parts
    if (state.phase === 'refused') return
    const oldest = clock.now() - maxAgeMs
    for (const batch of this.#held.remove(({ sealedAt }) => sealedAt < oldest)) {
      if (this.#spooled(batch)) continue
      this.#forget(batch)
      ledger.drop('max_retry_age', batch.spans, this.#tooOld())
    }
  }

  #tooOld(): Cause {
    const { state, maxAgeMs } = this.#parts
    const why = state.cause?.text ?? `${this.#host} takes spans too slowly.`
    return { kind: 'max_retry_age', text: `${why} Spans are tried for ${maxAgeMs / 1_000} s (SVC_OTEL_MAX_RETRY_AGE).` }
  }

  /** Where there is a spool, what does not get through at once can wait for the next start. */
  get #isHopeless(): boolean {
    const { state, spool } = this.#parts
    return state.phase === 'refused' || state.isUnreachable || (spool && state.isUnanswered) || this.hasOnlySuspects
  }

  #lookForMore(): void {
    const { spool, state } = this.#parts
    const isIdle = this.#held.waiting.length === 0 && state.phase === 'ok' && !this.#isEnding
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
