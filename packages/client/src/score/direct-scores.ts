import type { Target } from '@svc/core/delivery/outbox-parts'
import type { SvcHealth } from '@svc/core/health'
import { log, messageOf } from '@svc/core/log'
import { ownFields } from '@svc/core/own'
import { beginningOf, ERROR_LIMIT, partsOf } from '@svc/core/read-body'
import { withTracingSuppressed } from '@svc/core/suppress-tracing'
import { after, within } from '@svc/core/timers'
import type { OwnSettings } from '../options.ts'
import { SvcScoreError } from './score-error.ts'
import type { ScoreSender } from './score-sender.ts'

/** Maximum number of scores in a request (contract 3.2). */
const LARGEST = 100
/** Maximum characters that wait here; beyond that, the full queue is loaded, which splits requests. */
const ROOM = 500_000

/**
 * Sends scores on edge runtimes: posts them one request at a time. The full queue is loaded only after a failure, when
 * a caller awaits a score, or when too many wait. From then on it delivers all scores, including those not confirmed
 * yet; duplicates replace each other, because scores have ids.
 */
export class DirectScores implements ScoreSender {
  readonly #settings: OwnSettings
  readonly #target: Target
  #texts: string[] = []
  #size = 0
  #sent = 0
  #lost = 0
  #lastSuccess: number | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #sending: Promise<void> | undefined
  #loading: Promise<ScoreSender | undefined> | undefined
  #queue: ScoreSender | undefined

  constructor(settings: OwnSettings, target: Target) {
    this.#settings = settings
    this.#target = target
  }

  add(text: string): boolean {
    if (this.#queue) return this.#queue.add(text)
    this.#texts.push(text)
    this.#size += text.length
    const { flushAt, flushInterval, maxQueueBytes = ROOM } = this.#settings
    if (this.#size > Math.min(ROOM, maxQueueBytes)) void this.#handOver()
    else if (this.#texts.length >= flushAt) void this.#send()
    else this.#timer ??= after(flushInterval * 1_000, () => void this.#send())
    return true
  }

  async deliver(id: string, text: string): Promise<void> {
    const queue = await this.#handOver()
    if (!queue) throw new SvcScoreError('The score was not sent: the code for it could not be loaded.')
    await queue.deliver(id, text)
  }

  async flush(): Promise<void> {
    await this.#send()
    await this.#queue?.flush()
  }

  async shutdown(): Promise<void> {
    await within(this.#send(), this.#settings.shutdownTimeout * 1_000)
    if (this.#texts.length > 0) await this.#handOver()
    await this.#queue?.shutdown()
  }

  health(): SvcHealth {
    const own: SvcHealth = {
      state: 'ok',
      ended: this.#sent + this.#lost + this.#texts.length,
      sent: this.#sent,
      pending: this.#texts.length,
      dropped: this.#lost > 0 ? { export_failed: this.#lost } : {},
      pendingBytes: this.#size,
      lastSuccess: this.#lastSuccess,
      lastFailure: undefined,
    }
    if (!this.#queue) return own
    const health = this.#queue.health()
    return {
      ...health,
      ended: own.ended + health.ended,
      sent: own.sent + health.sent,
      dropped: { ...health.dropped, ...own.dropped },
      lastSuccess: health.lastSuccess ?? own.lastSuccess,
    }
  }

  /** Sends all waiting scores, including those added while it sends. */
  #send(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined
    })
    return this.#sending
  }

  async #sendAll(): Promise<void> {
    while (this.#texts.length > 0) {
      if (this.#loading) return void (await this.#loading)
      const texts = this.#texts.slice(0, LARGEST)
      const isTaken = await withTracingSuppressed(() => this.#post(`[${texts}]`))
      // The queue may have taken over the scores during the request.
      if (this.#texts[0] !== texts[0]) return
      if (!isTaken) return void (await this.#handOver())
      this.#remove(texts)
      this.#sent += texts.length
      this.#lastSuccess = Date.now()
    }
  }

  /** @returns whether the service confirmed all scores */
  async #post(body: string): Promise<boolean> {
    const signal = AbortSignal.timeout(Math.ceil(this.#settings.timeout * 1_000))
    const { url, headers } = this.#target
    try {
      const response = await fetch(
        url,
        ownFields<RequestInit>({ method: 'POST', headers, body, redirect: 'manual', signal }),
      )
      const { body: read, complete } = await beginningOf(partsOf(response), ERROR_LIMIT)
      const answer = new TextDecoder().decode(read)
      return (
        complete && response.ok && response.status !== 207 && (answer === '' || typeof JSON.parse(answer) === 'object')
      )
    } catch {
      // The queue will get the same error, and logs it.
      return false
    }
  }

  #remove(texts: readonly string[]): void {
    this.#texts.splice(0, texts.length)
    for (const { length } of texts) this.#size -= length
  }

  /** Passes all scores to the queue, from now on. @returns undefined if it cannot be loaded */
  #handOver(): Promise<ScoreSender | undefined> {
    this.#loading ??= this.#load()
    return this.#loading
  }

  async #load(): Promise<ScoreSender | undefined> {
    let queue: ScoreSender | undefined
    try {
      const { edgeScoreQueue } = await import('./edge-score-queue.ts')
      queue = edgeScoreQueue(this.#settings, this.#target)
      this.#queue = queue
    } catch (error) {
      this.#loading = undefined
      this.#lost += this.#texts.length
      log.error(
        `${this.#texts.length} scores are lost: the code for retries could not be loaded (${messageOf(error)}).`,
      )
    }
    const texts = this.#texts
    this.#texts = []
    this.#size = 0
    for (const text of texts) queue?.add(text)
    return queue
  }
}
