import { type ExitRegistration, onExit } from '@svc/core/exit'
import { keepAlive } from '@svc/core/keep-alive'
import { after, within } from '@svc/core/timers'
import type { ScoreOutbox } from './score-outbox.ts'

/** Most scores that wait, and most characters of them. */
const CAPACITY = 100_000
const CAPACITY_TEXT = 64 * 2 ** 20
/** Most scores of one request (contract 3.2). */
const BATCH = 100
/** Characters of one request, each of three bytes at most: services take 4.5 MB. */
const BATCH_TEXT = 1_500_000
const REQUESTS_AT_ONCE = 4
/** Milliseconds that a flush somebody waits for may hold the process: the longest course of tries and pauses. */
export const HOLD_MS = 180_000

export interface ScoreQueueOptions {
  /** Scores that make a batch leave. */
  readonly flushAt: number
  /** Milliseconds a score waits at most. */
  readonly flushEvery: number
  /** Milliseconds the end of the process may wait. */
  readonly exitTimeout: number
  /** Delivers scores, each a JSON text, or says that they are lost. Never rejects. */
  readonly send: (scores: readonly string[]) => Promise<void>
  /** The same for a process that ends: batches as requests. Undefined where there is nowhere to send them. */
  readonly outboxOf: (batches: readonly (readonly string[])[]) => ScoreOutbox | undefined
  /** Says that scores are lost: the process ends. */
  readonly lose: (scores: number) => void
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
  readonly #underWay = new Set<readonly string[]>()
  /** Held only while there is something to deliver or to say, so that clients that come and go leave nothing behind. */
  #exit: ExitRegistration | undefined
  /** What is here at the end of the process, once that has come. */
  #last: ScoreOutbox | undefined
  /** The end was waited for in vain. */
  #gaveUp = false

  constructor(options: ScoreQueueOptions) {
    this.#options = options
  }

  /** @returns false when there is no room. */
  add(score: string): boolean {
    if (this.#waiting.length >= CAPACITY || this.#length + score.length > CAPACITY_TEXT) return false
    this.#waiting.push(score)
    this.#length += score.length
    this.#gaveUp = false
    this.#register()
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
    await this.flush()
    this.#options.sayRest()
    this.#leave()
  }

  /** The same, no longer than the end of the process may take: what is still here then is lost, and is said to be. */
  async shutdown(): Promise<void> {
    const { exitTimeout } = this.#options
    await keepAlive(within(this.end(), exitTimeout), exitTimeout)
    if (this.#scores > 0) this.#close()
    this.#leave()
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batches: string[][] = []
      while (batches.length < REQUESTS_AT_ONCE && this.#waiting.length > 0) batches.push(this.#next())
      await Promise.all(batches.map((batch) => this.#send(batch)))
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

  async #send(batch: readonly string[]): Promise<void> {
    this.#underWay.add(batch)
    await this.#options.send(batch)
    this.#underWay.delete(batch)
  }

  #register(): void {
    this.#exit ??= onExit({
      timeoutMs: this.#options.exitTimeout,
      pending: () => this.#scores > 0 || this.#options.unsaid(),
      flush: (atExit) => this.#flushFor(atExit),
      outbox: () => this.#outbox(),
      close: () => this.#close(),
    })
    this.#exit.listen()
  }

  async #flushFor(atExit: boolean): Promise<void> {
    const limit = atExit ? this.#options.exitTimeout : HOLD_MS
    await keepAlive(within(this.end(), limit), limit)
    this.#gaveUp = atExit && this.#scores > 0
  }

  /** All that is here, also what is under way: those answers will not be heard. */
  #outbox(): ScoreOutbox | undefined {
    if (this.#gaveUp) return undefined
    // Of one that was not done, too: a process may come to its end in several steps.
    const batches = [...(this.#last?.batches ?? []), ...this.#underWay]
    this.#underWay.clear()
    while (this.#waiting.length > 0) batches.push(this.#next())
    this.#last = this.#options.outboxOf(batches)
    if (!this.#last) this.#options.lose(batches.flat().length)
    return this.#last
  }

  /** What is still here is lost. */
  #close(): void {
    clearTimeout(this.#timer)
    this.#options.lose(this.#scores)
    this.#waiting = []
    this.#length = 0
    this.#underWay.clear()
    this.#last = undefined
    this.#options.sayRest()
  }

  get #scores(): number {
    let scores = this.#waiting.length + (this.#last?.scores ?? 0)
    for (const batch of this.#underWay) scores += batch.length
    return scores
  }

  #leave(): void {
    if (this.#flushing || this.#waiting.length > 0 || this.#options.unsaid()) return
    this.#exit?.remove()
    this.#exit = undefined
  }
}
