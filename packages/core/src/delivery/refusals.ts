import type { Cause } from '../losses.ts'
import type { Clock } from './clock.ts'
import type { EndpointState } from './endpoint-state.ts'
import type { SealedBatch } from './sealed-batch.ts'

/** Batches refused as they are, with none accepted in between, after which it is not the items. */
const MANY_IN_A_ROW = 20
/** Milliseconds until a item that was refused is tried again, unless others arrive earlier. */
const AGAIN_MS = 60_000

/**
 * When a batch is tried again that was refused as it is. One that can be halved at once, in halves. Any other when
 * others were taken after it was refused, for then it is final: an endpoint that takes nothing has another reason.
 */
export class Refusals {
  readonly #state: EndpointState
  readonly #clock: Clock
  readonly #canBeHalved: (batch: SealedBatch) => boolean
  #inARow = 0

  constructor(state: EndpointState, clock: Clock, canBeHalved: (batch: SealedBatch) => boolean) {
    this.#canBeHalved = canBeHalved
    this.#state = state
    this.#clock = clock
  }

  /** The batch as it waits from now on. */
  add(batch: SealedBatch, cause: Cause, startedAt: number): SealedBatch {
    this.#inARow += 1
    if (this.#inARow >= MANY_IN_A_ROW) this.#state.failed(cause, startedAt)
    return { ...batch, refusal: { at: this.#clock.now(), cause } }
  }

  /** A batch was taken. */
  accepted(): void {
    this.#inARow = 0
  }

  /** Whether others were taken after this one was refused. */
  isLast({ refusal }: SealedBatch): boolean {
    return refusal !== undefined && this.#state.lastSuccess > refusal.at
  }

  /** Whether it is to be tried now. */
  isDue(batch: SealedBatch): boolean {
    return this.#wait(batch) === 0
  }

  /** Milliseconds until one of them is to be tried; infinitely many where there is none. */
  wait(batches: Iterable<SealedBatch>): number {
    let soonest = Number.POSITIVE_INFINITY
    for (const batch of batches) soonest = Math.min(soonest, this.#wait(batch))
    return soonest
  }

  #wait(batch: SealedBatch): number {
    const { refusal } = batch
    if (!refusal || this.#canBeHalved(batch) || this.isLast(batch)) return 0
    return Math.max(0, refusal.at + AGAIN_MS - this.#clock.now())
  }
}
