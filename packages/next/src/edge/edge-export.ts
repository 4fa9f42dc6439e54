import type { SvcHealth } from '@svc/core/health'
import { after } from '@svc/core/timers'
import type { EdgeExportSettings, ReadableSpan } from '@svc/otel/edge'
import { EdgeLedger } from './edge-ledger.ts'

/** Bytes of a request: the default limit of proxies is 1 MiB. */
export const REQUEST_BYTES = 1_000_000
/** Bytes that may wait, unless SVC_OTEL_MAX_QUEUE_BYTES says otherwise: an edge runtime has 128 MB for everything. */
const QUEUE_BYTES = 16_777_216
/** Consecutive failures after which no flush waits for the next attempt. */
const ATTEMPTS = 3
/** Milliseconds until the second attempt; doubled by each failure that follows. */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000

/** A span that waits, in the form that it is sent in. */
export interface Waiting {
  readonly bytes: number
}

/** Holds spans, within a bound in bytes, and sends them: at each flush, when there are enough, and after an interval. */
export abstract class EdgeExport<Item extends Waiting> {
  readonly ledger = new EdgeLedger()
  protected readonly settings: EdgeExportSettings
  protected readonly timeoutMs: number
  protected waiting: Item[] = []
  /** Smaller while one flush looks for a span that is rejected. */
  protected requestBytes = REQUEST_BYTES
  protected lastFailure: SvcHealth['lastFailure']
  #state: SvcHealth['state'] = 'ok'
  #bytes = 0
  #failures = 0
  #pausedUntil = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #run = Promise.resolve()
  /** When the current step of a run is cut off. */
  #cutOffAt = 0
  #nextRun: Promise<void> | undefined
  #lastSuccess: SvcHealth['lastSuccess']

  constructor(settings: EdgeExportSettings) {
    this.settings = settings
    this.timeoutMs = settings.timeout * 1_000
  }

  /** Throws where the span cannot be read. */
  protected abstract prepare(span: ReadableSpan): Item

  /** Sends a batch. Never rejects. */
  protected abstract send(batch: readonly Item[]): Promise<void>

  /** Takes a span over. Throws where it cannot be read. */
  add(span: ReadableSpan): void {
    const item = this.prepare(span)
    const { maxQueueBytes: limit = QUEUE_BYTES, flushAt } = this.settings
    if (this.#bytes > 0 && this.#bytes + item.bytes > limit) {
      const text = `The export queue is full (${limit} bytes, SVC_OTEL_MAX_QUEUE_BYTES): spans end faster than they are sent.`
      this.ledger.drop('queue_full', 1, { kind: 'queue_full', text })
      return
    }
    this.#bytes += item.bytes
    this.waiting.push(item)
    const isFull = this.waiting.length >= flushAt || this.#bytes >= this.requestBytes
    if (isFull && !this.isHopeless) void this.flush()
    else this.#flushLater()
  }

  /**
   * Resolves when everything added so far was sent, or when it is no use to wait for it. Flushes that come while one
   * runs share the next. Never rejects.
   *
   * A run that is cut off is not waited for: hosts that bind requests and timers to the request of the application that
   * they come from end both with it, and nothing settles then.
   */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const now = performance.now()
    if (now > this.#cutOffAt) {
      this.#cutOffAt = now + this.timeoutMs
      this.#run = Promise.resolve()
      this.#nextRun = undefined
    }
    this.#nextRun ??= this.#run.then(() => {
      this.#nextRun = undefined
      this.#run = this.#sendAll()
      return this.#run
    })
    return this.#nextRun
  }

  /** Like {@link flush}, for the application. Never rejects. */
  forceFlush(): Promise<void> {
    return this.flush()
  }

  health(): SvcHealth {
    return {
      ...this.ledger,
      dropped: { ...this.ledger.dropped },
      state: this.#state,
      pending: this.waiting.length,
      pendingBytes: this.#bytes,
      lastSuccess: this.#lastSuccess,
      lastFailure: this.lastFailure,
    }
  }

  protected succeeded(): void {
    this.#state = 'ok'
    this.#failures = 0
    this.#lastSuccess = Date.now()
  }

  /**
   * Sends nothing for a while, the longer the more often in a row it is called.
   *
   * @param atLeastMs milliseconds
   */
  protected pause(state: SvcHealth['state'], atLeastMs = 0): void {
    this.#state = state
    const backoff = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures)
    this.#pausedUntil = performance.now() + Math.max(backoff, atLeastMs)
    this.#failures += 1
  }

  /** Whether a flush does not wait for the next attempt. */
  protected get isHopeless(): boolean {
    const left = this.#pauseLeft
    return left > 0 && (this.#failures >= ATTEMPTS || left > this.timeoutMs)
  }

  protected remove(items: readonly Item[]): void {
    const gone = new Set(items)
    this.waiting = this.waiting.filter((item) => !gone.has(item))
    this.#bytes = this.waiting.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  get #pauseLeft(): number {
    return this.#pausedUntil - performance.now()
  }

  #flushLater(): void {
    this.#timer ??= after(Math.max(this.settings.flushInterval * 1_000, this.#pauseLeft), () => void this.flush())
  }

  async #sendAll(): Promise<void> {
    const last = this.waiting.at(-1)
    while (last && this.waiting.includes(last) && !this.isHopeless) {
      this.#cutOffAt = Math.max(performance.now(), this.#pausedUntil) + 2 * this.timeoutMs
      if (this.#pauseLeft > 0) await new Promise<void>((resolve) => void after(this.#pauseLeft, resolve))
      await this.send(this.#batch())
    }
    this.requestBytes = REQUEST_BYTES
    if (this.waiting.length > 0) this.#flushLater()
  }

  /** The oldest that fit into one request. */
  #batch(): Item[] {
    let sum = 0
    const end = this.waiting.findIndex(({ bytes }, at) => {
      sum += bytes
      return at > 0 && (at >= this.settings.flushAt || sum > this.requestBytes)
    })
    return this.waiting.slice(0, end < 0 ? undefined : end)
  }
}
