import type { Clock } from '@svc/core/delivery/clock'
import type { Delivery } from '@svc/core/delivery/delivery'
import type { RequestForm } from '@svc/core/delivery/request-form'
import type { Awaited } from '@svc/core/delivery/sealed-batch'
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
  /** Whether scores are written to disk before they are sealed. */
  readonly isAhead: boolean
  readonly form: RequestForm
  readonly clock: Pick<Clock, 'now'>
  readonly delivery: Pick<Delivery, 'add' | 'ahead' | 'budget' | 'isBusy'>
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
    this.#collect(text)
    this.sealIfFull()
    if (this.items === 0) return
    this.#timer ??= after(this.#parts.everyMs, () => this.sealNow())
    this.#goAhead()
  }

  /** Adds a score as a separate batch, after those that wait. */
  addAlone(text: string, awaited: Awaited): void {
    this.sealNow()
    this.#collect(text)
    this.sealNow(awaited)
  }

  /** To be called when a batch may no longer have to wait. While one has to, it may be larger. */
  sealIfFull(): void {
    const { flushAt, delivery } = this.#parts
    if (this.items >= (delivery.isBusy ? Math.max(flushAt, LARGEST) : flushAt)) this.sealNow()
  }

  async seal(): Promise<number> {
    this.sealNow()
    return this.#epoch++
  }

  sealNow(awaited?: Awaited): void {
    const { clock, delivery } = this.#parts
    clearTimeout(this.#timer)
    clearTimeout(this.#aheadTimer)
    this.#timer = undefined
    this.#aheadTimer = undefined
    const texts = this.#texts
    if (texts.length === 0) return
    const ahead = delivery.ahead?.next()
    this.#texts = []
    this.#written = 0
    delivery.budget.release(this.#size)
    this.#size = 0
    const pieces = this.#pieces(texts)
    for (const piece of pieces) {
      const body = bodyOf(piece)
      delivery.add({
        body,
        isCompressed: false,
        rawSize: body.length,
        items: piece.length,
        sealedAt: clock.now(),
        epoch: this.#epoch,
        ...(awaited && { awaited }),
        // The file has the scores of all batches, so it belongs to the last one.
        ...(ahead && piece === pieces.at(-1) && { ahead }),
      })
    }
  }

  #collect(text: string): void {
    this.#parts.delivery.budget.take(text.length)
    this.#texts.push(text)
    this.#size += text.length
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

  #goAhead(): void {
    if (this.#parts.isAhead) this.#aheadTimer ??= after(AHEAD_MS, () => this.#writeAhead())
  }

  #writeAhead(): void {
    const { ahead } = this.#parts.delivery
    this.#aheadTimer = undefined
    if (ahead) {
      const texts = this.#texts.slice(this.#written)
      if (texts.length > 0) ahead.write(bodyOf(texts), texts.length)
      this.#written = this.#texts.length
    } else {
      // The code of the spool may still be loading.
      this.#goAhead()
    }
  }
}
