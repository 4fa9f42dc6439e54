import { getRuntime, type Runtime, type SpanWatcher } from '@svc/core/registry'
import { within } from '@svc/core/timers'
import { type KeepAwake, keepAwake } from '#after'
import { flushesEachRequest } from './host.ts'

/** Milliseconds a function stays awake for spans that have not ended when its host wants to freeze it. */
const LONGEST_WAIT = 5_000

/** Traces whose spans are waited for; beyond it the oldest is forgotten. */
const LIMIT = 1_000

// On globalThis: bundlers make a copy of this module for each of Next's layers.
const SLOT = Symbol.for('svc.next-delivery.6')
const slots = globalThis as unknown as Record<symbol, Runtime | undefined>

/**
 * Delivers the spans of a request with it, on hosts that freeze after the response: the host is made to wait as soon as
 * the first span of a trace starts. On a server that lives on it does nothing:
 * batches leave by their own clock.
 */
export function deliverWithRequests(): void {
  const runtime = getRuntime()
  if (!runtime?.watch || slots[SLOT] === runtime || !flushesEachRequest()) return
  slots[SLOT] = runtime
  runtime.watch(new Deliveries())
}

type WatchedSpan = Parameters<SpanWatcher['started']>[0]

class Deliveries implements SpanWatcher {
  readonly #traces = new Map<string, TraceDelivery>()

  started(span: WatchedSpan): void {
    this.#deliveryOf(span)?.started(span)
  }

  ended(span: WatchedSpan): void {
    this.#deliveryOf(span)?.ended(span)
  }

  #deliveryOf(span: WatchedSpan): TraceDelivery | undefined {
    if (!flushesEachRequest()) return undefined
    const { traceId } = span.spanContext()
    const known = this.#traces.get(traceId)
    if (known) return known.resume()
    const made = TraceDelivery.begin(() => this.#traces.delete(traceId))
    if (!made) return undefined
    const oldest = this.#traces.size < LIMIT ? undefined : this.#traces.keys().next().value
    if (oldest !== undefined) this.#traces.delete(oldest)
    this.#traces.set(traceId, made)
    return made
  }
}

/** Keeps the function of one request awake until what its trace has is delivered, as often as something is added. */
class TraceDelivery {
  readonly #open = new Set<string>()
  readonly #over: () => void
  #again: KeepAwake | undefined
  #underWay = true
  #resolve: () => void = () => {}

  private constructor(over: () => void) {
    this.#over = over
  }

  /** @returns undefined where there is no request that could be waited for: batches leave by their own clock */
  static begin(over: () => void): TraceDelivery | undefined {
    const delivery = new TraceDelivery(over)
    delivery.#again = keepAwake(() => delivery.#deliver())
    return delivery.#again && delivery
  }

  /** What ends when it was no longer waited for is delivered as well. */
  resume(): this {
    if (!this.#underWay) {
      this.#underWay = true
      this.#again?.(() => this.#deliver())
    }
    return this
  }

  started(span: WatchedSpan): void {
    this.#open.add(span.spanContext().spanId)
  }

  ended(span: WatchedSpan): void {
    this.#open.delete(span.spanContext().spanId)
    if (this.#open.size === 0) this.#resolve()
  }

  async #deliver(): Promise<void> {
    await within(this.#quiet(), LONGEST_WAIT)
    this.#underWay = false
    if (this.#open.size === 0) this.#over()
    await getRuntime()?.forceFlush()
  }

  /** All spans have ended, and no other one starts where the last one did. */
  async #quiet(): Promise<void> {
    do {
      if (this.#open.size > 0) {
        await new Promise<void>((resolve) => {
          this.#resolve = resolve
        })
      }
      await nextTask()
    } while (this.#open.size > 0)
  }
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve))
}
