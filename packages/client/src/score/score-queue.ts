import { type ExitGuard, guardExit } from '@svc/core/exit-gate'
import { after } from '@svc/core/timers'

/** Most scores that wait, and most characters of them. */
const CAPACITY = 100_000
const CAPACITY_TEXT = 64 * 2 ** 20
/** Most scores of one request (contract 3.2). */
const BATCH = 100
/** Characters of one request, each of three bytes at most: services take 4.5 MB. */
const BATCH_TEXT = 1_500_000
const REQUESTS_AT_ONCE = 4

export interface ScoreQueueOptions {
  /** Scores that make a batch leave. */
  readonly flushAt: number
  /** Milliseconds a score waits at most. */
  readonly flushEvery: number
  /** Milliseconds the end of the process may wait. */
  readonly exitTimeout: number
  /** Where the scores go, for messages. */
  readonly destination: string
  /** Delivers scores, each a JSON text, or says that they are lost. Never rejects. */
  readonly send: (scores: readonly string[]) => Promise<void>
  /** Whether something about lost scores is still to be said. */
  readonly unsaid: () => boolean
  /** Says it. Called for the last time, when all is sent or lost. */
  readonly sayRest: () => void
}

/**
 * Scores on their way: each leaves once, in batches, when there are enough of them, when the first has waited long
 * enough, on a flush, or at the end of the process. Keeps no process alive by itself.
 */
export class ScoreQueue {
  readonly #options: ScoreQueueOptions
  #waiting: string[] = []
  /** Characters of what waits. */
  #length = 0
  #flushing: Promise<void> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Held only while there is something to deliver or to say, so that clients that come and go leave nothing behind. */
  #guard: ExitGuard | undefined
  /** Something was added since the end of the process was near. */
  #news = false

  constructor(options: ScoreQueueOptions) {
    this.#options = options
  }

  /** @returns false when there is no room. */
  add(score: string): boolean {
    if (this.#waiting.length >= CAPACITY || this.#length + score.length > CAPACITY_TEXT) return false
    this.#waiting.push(score)
    this.#length += score.length
    this.#news = true
    this.#holdExit()
    if (this.#waiting.length >= this.#options.flushAt) void this.flush()
    else this.#timer ??= after(this.#options.flushEvery, () => void this.flush())
    return true
  }

  /** Resolves when everything added before, and meanwhile, was sent or is lost. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (!this.#flushing && this.#waiting.length > 0) this.#flushing = this.#drain()
    return this.#flushing ?? Promise.resolve()
  }

  /** The same, for the last time. Never rejects. */
  async end(): Promise<void> {
    this.#news = false
    await this.flush()
    this.#options.sayRest()
    this.#leave()
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batches: string[][] = []
      while (batches.length < REQUESTS_AT_ONCE && this.#waiting.length > 0) batches.push(this.#next())
      await Promise.all(batches.map((batch) => this.#options.send(batch)))
    }
    // In the same breath as the last look at what waits: who adds from here on begins anew.
    this.#flushing = undefined
    this.#leave()
  }

  #next(): string[] {
    let length = 0
    let count = 0
    for (const text of this.#waiting) {
      if (count === BATCH || (count > 0 && length + text.length > BATCH_TEXT)) break
      length += text.length
      count += 1
    }
    this.#length -= length
    return this.#waiting.splice(0, count)
  }

  #holdExit(): void {
    if (this.#guard) return
    const { destination, exitTimeout } = this.#options
    this.#guard = guardExit({
      what: 'scores',
      destination,
      timeout: exitTimeout,
      flush: () => this.end(),
      // Not whether anything is left: a service that hangs is waited for once.
      pending: () => this.#news,
    })
    this.#guard.arm()
  }

  #leave(): void {
    if (this.#flushing || this.#waiting.length > 0 || this.#options.unsaid()) return
    this.#guard?.leave()
    this.#guard = undefined
  }
}
