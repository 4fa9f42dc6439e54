import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { log } from '@svc/core/log'
import { quietly } from '../quietly.ts'
import { after } from '../timers.ts'
import type { Delivery } from './delivery.ts'
import { spanCount } from './failures.ts'

export interface BatchOptions {
  /** Spans that make a batch. */
  readonly size: number
  /** Milliseconds a span waits at most. */
  readonly everyMs: number
  /** Batches under way at once. Default 4. */
  readonly concurrency?: number
  /** Spans that may wait. Default 100,000; what comes on top is dropped. */
  readonly capacity?: number
}

/** Gets one batch away. Must settle in bounded time; a rejection is logged and the batch is lost. */
export type SendBatch = (spans: ReadableSpan[]) => Promise<void>

/** Collects spans into batches and keeps several batches under way, in order of their end. */
export class Batches implements Delivery {
  readonly #send: SendBatch
  readonly #size: number
  readonly #everyMs: number
  readonly #concurrency: number
  readonly #capacity: number
  readonly #underWay = new Set<Promise<void>>()
  #waiting: ReadableSpan[] = []
  #taken = 0
  #dropped = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(send: SendBatch, { size, everyMs, concurrency = 4, capacity = 100_000 }: BatchOptions) {
    this.#send = send
    // A batch larger than what may wait would never be full.
    this.#size = Math.min(size, capacity)
    this.#everyMs = everyMs
    this.#concurrency = concurrency
    this.#capacity = capacity
  }

  deliver(span: ReadableSpan): void {
    if (this.#waiting.length >= this.#capacity) {
      this.#dropped++
      return
    }
    this.#waiting.push(span)
    if (this.#waiting.length >= this.#size) this.#start(this.#size)
    this.#arm()
  }

  async flush(): Promise<void> {
    const last = this.#taken + this.#waiting.length
    this.#start(1)
    while (this.#taken < last) {
      await Promise.race(this.#underWay)
      this.#start(1)
    }
    await Promise.all(this.#underWay)
  }

  async shutdown(): Promise<void> {
    await this.flush()
    clearTimeout(this.#timer)
  }

  /** Starts batches while there is a place and at least `least` spans wait. */
  #start(least: number): void {
    while (this.#underWay.size < this.#concurrency && this.#waiting.length >= least) {
      const batch = this.#waiting.splice(0, this.#size)
      this.#taken += batch.length
      this.#reportDropped()
      const done = quietly(() => this.#send(batch))
        .catch((error: unknown) => log.error(`${spanCount(batch.length)} lost:`, error))
        .finally(() => {
          this.#underWay.delete(done)
          this.#start(this.#size)
          this.#arm()
        })
      this.#underWay.add(done)
    }
  }

  // One timer at a time, and none while nothing waits.
  #arm(): void {
    if (this.#timer !== undefined || this.#waiting.length === 0) return
    this.#timer = quietly(() =>
      after(this.#everyMs, () => {
        this.#timer = undefined
        this.#start(1)
        this.#arm()
      }),
    )
  }

  #reportDropped(): void {
    if (this.#dropped === 0) return
    log.warn(
      `${spanCount(this.#dropped)} lost: ${this.#capacity} were waiting already. The intake is too slow for them.`,
    )
    this.#dropped = 0
  }
}
