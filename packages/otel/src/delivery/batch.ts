import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import type { Cause } from '@svc/core/failures'
import { log } from '@svc/core/log'
import { quietly } from '@svc/core/quietly'
import { after } from '@svc/core/timers'
import type { Delivery } from './delivery.ts'
import { spanCount, spanFailures } from './failures.ts'
import { weightOf } from './weight.ts'

const MEBI = 1_048_576

const OVERFLOW: Cause = {
  kind: 'overflow',
  text: 'The intake is too slow: as many spans as may wait were waiting already.',
}

export interface BatchOptions {
  /** Spans that make a batch. */
  readonly size: number
  /** Milliseconds a span waits at most. */
  readonly everyMs: number
  /** Batches under way at once. Default 4. */
  readonly concurrency?: number
  /** Spans that may wait. Default 100,000; what comes on top is dropped. */
  readonly capacity?: number
  /** Characters that make a batch, however few its spans. Default 16 Mi. */
  readonly weight?: number
  /** Characters that may wait. Default 256 Mi. */
  readonly weightCapacity?: number
}

/** Gets one batch away. Must settle in bounded time; a rejection is logged and the batch is lost. */
export type SendBatch = (spans: ReadableSpan[]) => Promise<void>

/** Collects spans into batches and keeps several batches under way, in order of their end. */
export class Batches implements Omit<Delivery, 'health'> {
  readonly #send: SendBatch
  readonly #size: number
  readonly #everyMs: number
  readonly #concurrency: number
  readonly #capacity: number
  readonly #losses = spanFailures()
  readonly #underWay = new Set<Promise<void>>()
  readonly #weight: number
  readonly #weightCapacity: number
  #waiting: { readonly span: ReadableSpan; readonly weight: number }[] = []
  #waitingWeight = 0
  #taken = 0
  #done = 0
  #dropped = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    send: SendBatch,
    {
      size,
      everyMs,
      concurrency = 4,
      capacity = 100_000,
      weight = 16 * MEBI,
      weightCapacity = 256 * MEBI,
    }: BatchOptions,
  ) {
    this.#send = send
    // A batch larger than what may wait would never be full.
    this.#size = Math.min(size, capacity)
    this.#everyMs = everyMs
    this.#concurrency = concurrency
    this.#capacity = capacity
    this.#weight = weight
    this.#weightCapacity = weightCapacity
  }

  /** Spans that wait or are under way. */
  get queued(): number {
    return this.#waiting.length + this.#taken - this.#done
  }

  deliver(span: ReadableSpan): void {
    const weight = weightOf(span)
    if (!this.#hasRoomFor(weight)) {
      this.#dropped++
      return
    }
    this.#waiting.push({ span, weight })
    this.#waitingWeight += weight
    this.#start(this.#isFull)
    this.#arm()
  }

  async flush(): Promise<void> {
    const last = this.#taken + this.#waiting.length
    this.#start(this.#isAny)
    while (this.#taken < last) {
      await Promise.race(this.#underWay)
      this.#start(this.#isAny)
    }
    await Promise.all(this.#underWay)
  }

  async shutdown(): Promise<void> {
    await this.flush()
    clearTimeout(this.#timer)
    this.#reportDropped()
    this.#losses.reportRest()
  }

  readonly #isAny = (): boolean => this.#waiting.length > 0
  readonly #isFull = (): boolean => this.#waiting.length >= this.#size || this.#waitingWeight >= this.#weight

  #hasRoomFor(weight: number): boolean {
    if (this.#waiting.length === 0) return true
    return this.#waiting.length < this.#capacity && this.#waitingWeight + weight <= this.#weightCapacity
  }

  /** Starts batches while there is a place and `enough` spans wait. */
  #start(enough: () => boolean): void {
    while (this.#underWay.size < this.#concurrency && enough()) {
      const batch = this.#nextBatch()
      this.#taken += batch.length
      this.#reportDropped()
      const done = quietly(() => this.#send(batch))
        .catch((error: unknown) => log.error(`${spanCount(batch.length)} lost:`, error))
        .finally(() => {
          this.#underWay.delete(done)
          this.#done += batch.length
          this.#start(this.#isFull)
          this.#arm()
        })
      this.#underWay.add(done)
    }
  }

  /** Takes what makes a batch: one span at least, then as many as there may be of this weight. */
  #nextBatch(): ReadableSpan[] {
    let count = 0
    let weight = 0
    for (const next of this.#waiting) {
      if (count > 0 && (count >= this.#size || weight + next.weight > this.#weight)) break
      count += 1
      weight += next.weight
    }
    this.#waitingWeight -= weight
    return this.#waiting.splice(0, count).map(({ span }) => span)
  }

  // One timer at a time, and none while nothing waits.
  #arm(): void {
    if (this.#timer !== undefined || this.#waiting.length === 0) return
    this.#timer = quietly(() =>
      after(this.#everyMs, () => {
        this.#timer = undefined
        this.#start(this.#isAny)
        this.#arm()
      }),
    )
  }

  #reportDropped(): void {
    if (this.#dropped === 0) return
    this.#losses.report(OVERFLOW, this.#dropped)
    this.#dropped = 0
  }
}
