import { attempt } from '@svc/core/attempt'
import type { FlushLimits } from '@svc/core/delivery/delivery'
import type { Ledger } from '@svc/core/delivery/ledger'
import type { SvcHealth } from '@svc/core/health'
import { isDebugging, log, messageOf } from '@svc/core/log'
import type { Cause } from '@svc/core/losses'
import type { Outbox } from '@svc/core/outbox'
import { within } from '@svc/core/timers'
import { described } from './described.ts'
import type { ExportQueue } from './export/export-queue.ts'
import type { ReadableSpan } from './sdk.ts'

/** A processing step. Returns the span or a modified view of it, synchronously or as a promise. */
export interface Step {
  (span: ReadableSpan): ReadableSpan | Promise<ReadableSpan>
  /** If there is no time for the step, it is skipped. */
  readonly isOptional?: true
}

/** Background work (media uploads) that a flush waits for. Never rejects. */
export interface Background {
  readonly pending: number
  flush(limits: FlushLimits): Promise<void>
  /** Closes connections. */
  stop(): Promise<void>
  /** Gives up pending tasks, and reports them as lost. */
  close(): void
}

export interface PipelineParts {
  /** In front of all others, also of those that are added. */
  readonly first?: readonly Step[]
  readonly steps: readonly Step[]
  readonly queue: ExportQueue
  readonly ledger: Ledger
  readonly background?: Background | undefined
  readonly onDelivered?: ((span: ReadableSpan) => void) | undefined
}

// Each mask call has a time limit, so at this number they cannot keep up.
export const CAPACITY = 10_000
export const STILL_MASKING = `${CAPACITY} spans were still being masked.`

/** A span that waits for an asynchronous step. */
interface Waiting {
  /** The span before that step. */
  readonly span: ReadableSpan
  /** The remaining steps, starting with that one. */
  readonly steps: readonly Step[]
}

/** Passes exported spans through the steps to the queue: synchronously, unless a step is asynchronous. */
export class Pipeline {
  readonly #parts: PipelineParts
  #steps: readonly Step[]
  readonly #waiting = new Map<Waiting, Promise<void>>()
  #logsSpans = false

  constructor(parts: PipelineParts) {
    this.#parts = parts
    this.#steps = [...this.#first, ...parts.steps]
  }

  /** Adds a step in front of the others but the first ones, for the spans that end from now on. */
  prepend(step: Step): void {
    this.#steps = [...this.#first, step, ...this.#steps.slice(this.#first.length)]
  }

  get #first(): readonly Step[] {
    return this.#parts.first ?? []
  }

  /** Looks at whether spans are logged. To be called before a span, or several of them, are taken. */
  look(): void {
    this.#logsSpans = isDebugging()
  }

  /** @param complete the span with what is still to be learned of it; where too many wait, it goes without */
  take(span: ReadableSpan, complete?: Promise<ReadableSpan>): void {
    this.#parts.ledger.end()
    this.#advance(span, complete && !this.#isFull ? [learning(complete), ...this.#steps] : this.#steps)
  }

  /** Counts an ended span that was lost before it reached the pipeline. */
  lost(cause: Cause): void {
    this.#parts.ledger.end()
    this.#lose(cause)
  }

  /**
   * Waits for spans in the steps, for the queue and for uploads (contract 1.9), all at the same time: at exit there is
   * little time, and a hanging mask or storage must not delay other spans. Never rejects.
   */
  async flush({ idleMs, totalMs }: FlushLimits): Promise<void> {
    const left = timeLeft(totalMs)
    const steps = [...this.#waiting.values()]
    await Promise.all([this.#deliver({ idleMs, totalMs }), within(Promise.all(steps), totalMs)])
    if (steps.length > 0) await this.#deliver({ idleMs, totalMs: left() })
  }

  /**
   * Flushes and stops; spans that are not delivered in time are lost. Optional steps have half of the time, because the
   * spans that they delay have to be delivered as well. Never rejects.
   */
  async shutdown(limitMs: number): Promise<void> {
    const left = timeLeft(limitMs)
    const flush = (totalMs: number) => within(this.flush({ idleMs: limitMs, totalMs }), totalMs)
    if (this.#hasOptional) await flush(limitMs / 2)
    this.#skipOptional()
    await flush(left())
    const { queue, background } = this.#parts
    await within(Promise.all([settled(queue.stop()), settled(background?.stop())]), left())
    this.close()
  }

  /** Where its spans go. */
  get queue(): ExportQueue {
    return this.#parts.queue
  }

  /** Whether spans or uploads are pending. */
  get isBusy(): boolean {
    return this.#pending + (this.#parts.background?.pending ?? 0) > 0
  }

  /** Whether some of them can be delivered only while the event loop runs. */
  get needsEventLoop(): boolean {
    const { queue, background } = this.#parts
    return this.#waiting.size + (background?.pending ?? 0) > 0 || (queue.needsEventLoop && queue.pending > 0)
  }

  /** Seals spans to be sent without the event loop. Skips optional steps; spans that wait for other steps stay. */
  outbox(): Outbox | undefined {
    this.#skipOptional()
    return this.#parts.queue.outbox()
  }

  /** Counts everything pending as lost, and reports it. */
  close(): void {
    const { queue, background, ledger } = this.#parts
    ledger.dropAtEnd(this.#waiting.size, { kind: 'mask', text: 'A mask did not finish with the last spans.' })
    this.#waiting.clear()
    queue.close()
    background?.close()
    ledger.close(this.#pending)
  }

  /** The process did not end after all. */
  goOn(): void {
    this.#parts.queue.goOn?.()
  }

  health(): SvcHealth {
    const { ended, sent, dropped } = this.#parts.ledger
    return { ...this.#parts.queue.health(), ended, sent, pending: this.#pending, dropped }
  }

  async #deliver(limits: FlushLimits): Promise<void> {
    const { queue, background } = this.#parts
    await Promise.all([settled(queue.flush(limits)), within(settled(background?.flush(limits)), limits.totalMs)])
  }

  get #hasOptional(): boolean {
    return [...this.#waiting.keys()].some(isOptional)
  }

  /** Passes on spans that wait for an optional step, without any optional steps. */
  #skipOptional(): void {
    for (const waiting of [...this.#waiting.keys()].filter(isOptional)) {
      this.#waiting.delete(waiting)
      const steps = waiting.steps.filter((step) => !step.isOptional)
      this.#advance(waiting.span, steps)
    }
  }

  get #pending(): number {
    return this.#waiting.size + this.#parts.queue.pending
  }

  get #isFull(): boolean {
    return this.#waiting.size >= CAPACITY
  }

  /** @returns when it is in the queue, if it is not yet */
  #advance(span: ReadableSpan, steps: readonly Step[]): Promise<void> | undefined {
    let current = span
    try {
      for (let at = 0; at < steps.length; at += 1) {
        const next = (steps[at] as Step)(current)
        if (next instanceof Promise) return this.#wait({ span: current, steps: steps.slice(at) }, next)
        current = next
      }
      this.#parts.queue.add(current)
    } catch (error) {
      this.#failed(error)
      return undefined
    }
    const { onDelivered } = this.#parts
    if (onDelivered) attempt('tell of a span', onDelivered, current)
    if (this.#logsSpans) log.debug(`processed span "${current.name}"`, described(current))
    return undefined
  }

  #wait(waiting: Waiting, step: Promise<ReadableSpan>): Promise<void> | undefined {
    if (this.#isFull) {
      step.catch(() => {})
      this.#lose({ kind: 'mask', text: STILL_MASKING })
      return undefined
    }
    const done = step
      .then((span) => {
        // Unless the span was passed on without the step.
        if (this.#waiting.delete(waiting)) return this.#advance(span, waiting.steps.slice(1))
      })
      .catch((error: unknown) => {
        if (this.#waiting.delete(waiting)) this.#failed(error)
      })
    this.#waiting.set(waiting, done)
    return done
  }

  #failed(error: unknown): void {
    this.#lose({ kind: 'step', text: `A span could not be prepared: ${messageOf(error)}.` })
  }

  #lose(cause: Cause): void {
    this.#parts.ledger.drop('not_prepared', 1, cause)
  }
}

function learning(complete: Promise<ReadableSpan>): Step {
  return Object.assign(() => complete, { isOptional: true } as const)
}

async function settled(work: Promise<void> | undefined): Promise<void> {
  try {
    await work
  } catch (error) {
    log.error('A flush failed:', error)
  }
}

const isOptional = ({ steps: [step] }: Waiting): boolean => step?.isOptional === true

/** Returns a function that returns how many of these milliseconds are left. */
function timeLeft(ms: number): () => number {
  const started = performance.now()
  return () => Math.max(0, started + ms - performance.now())
}
