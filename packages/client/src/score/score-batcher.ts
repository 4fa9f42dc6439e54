import type { ByteBudget } from '@svc/core/delivery/byte-budget'
import type { Clock } from '@svc/core/delivery/clock'
import type { RequestForm } from '@svc/core/delivery/request-form'
import type { SealedBatch } from '@svc/core/delivery/sealed-batch'
import type { WriteAhead } from '@svc/core/delivery/spool/write-ahead'
import { after } from '@svc/core/timers'
import { bodyOf } from './score-format.ts'

/** Maximum number of scores in a request (contract 3.2). */
const LARGEST = 100
/** Milliseconds after which scores are written to disk (`SVC_OTEL_SPOOL=always`). */
const AHEAD_MS = 50

export interface ScoreBatcherParts {
  /** Number of scores after which a batch is sent. */
  readonly flushAt: number
  /** Maximum milliseconds that a score waits. */
  readonly everyMs: number
  readonly form: RequestForm
  readonly budget: ByteBudget
  readonly clock: Pick<Clock, 'now'>
  readonly ahead: () => WriteAhead | undefined
  /** Whether a batch would have to wait, so that it may be larger. */
  readonly isBusy: () => boolean
  readonly onSealed: (batch: SealedBatch) => void
}

/** Collects scores, as JSON, until there are enough of them or the first has waited long enough. */
export class ScoreBatcher {
  readonly #parts: ScoreBatcherParts
  #texts: string[] = []
  #size = 0
  #epoch = 0
  /** Number of scores written ahead. */
  #written = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #aheadTimer: ReturnType<typeof setTimeout> | undefined

  constructor(parts: ScoreBatcherParts) {
    this.#parts = parts
  }

  get items(): number {
    return this.#texts.length
  }

  add(text: string): void {
    const { everyMs, budget } = this.#parts
    budget.take(text.length)
    this.#texts.push(text)
    this.#size += text.length
    this.sealIfFull()
    if (this.items === 0) return
    this.#timer ??= after(everyMs, () => this.sealNow())
    this.goAhead()
  }

  /** To be called when the spool is open. */
  goAhead(): void {
    if (this.items > 0 && this.#parts.ahead()) this.#aheadTimer ??= after(AHEAD_MS, () => this.#writeAhead())
  }

  /** To be called when a batch may no longer have to wait. */
  sealIfFull(): void {
    const { flushAt, isBusy } = this.#parts
    if (this.items >= (isBusy() ? Math.max(flushAt, LARGEST) : flushAt)) this.sealNow()
  }

  /** Adds a score as a separate batch, after those that wait. */
  addAlone(text: string): void {
    this.sealNow()
    this.add(text)
    this.sealNow()
  }

  async seal(): Promise<number> {
    this.sealNow()
    return this.#epoch++
  }

  sealNow(): void {
    const { clock, budget, onSealed } = this.#parts
    clearTimeout(this.#timer)
    clearTimeout(this.#aheadTimer)
    this.#timer = undefined
    this.#aheadTimer = undefined
    const texts = this.#texts
    if (texts.length === 0) return
    const ahead = this.#parts.ahead()?.next()
    this.#texts = []
    this.#written = 0
    budget.release(this.#size)
    this.#size = 0
    const pieces = this.#pieces(texts)
    for (const piece of pieces) {
      const body = bodyOf(piece)
      onSealed({
        body,
        isCompressed: false,
        rawSize: body.length,
        items: piece.length,
        sealedAt: clock.now(),
        epoch: this.#epoch,
        // The file has the scores of all batches, so it belongs to the last one.
        ...(ahead && piece === pieces.at(-1) && { ahead }),
      })
    }
  }

  /** Splits scores by the limits of a request; a single score may be larger. */
  #pieces(texts: readonly string[]): readonly (readonly string[])[] {
    const pieces: string[][] = []
    let size = Number.POSITIVE_INFINITY
    for (const text of texts) {
      const isFull = size + text.length > this.#parts.form.maxRawSize || pieces.at(-1)?.length === LARGEST
      if (isFull) pieces.push([])
      size = isFull ? text.length : size + text.length
      pieces.at(-1)?.push(text)
    }
    return pieces
  }

  #writeAhead(): void {
    this.#aheadTimer = undefined
    const texts = this.#texts.slice(this.#written)
    if (texts.length > 0) this.#parts.ahead()?.write(bodyOf(texts), texts.length)
    this.#written = this.#texts.length
  }
}
