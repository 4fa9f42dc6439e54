import { getRuntime, type Runtime, type SpanWatcher } from '@svc/core/registry'
import * as SLOTS from '@svc/core/slots'
import { within } from '@svc/core/timers'
import { type KeepAwake, keepAwake } from '#after'
import { flushesEachRequest } from './host.ts'

/** Milliseconds a function stays awake for spans that have not ended when its host wants to freeze it. */
const LONGEST_WAIT = 5_000

/** Traces whose deliveries are kept in the map at once; beyond it the oldest is removed. */
const LIMIT = 1_000

// On globalThis: bundlers make a copy of this module for each of Next's layers.
const SLOT = Symbol.for(SLOTS.NEXT_DELIVERY)
const slots = globalThis as unknown as Record<symbol, Runtime | undefined>

/**
 * Called by `registerSvc` and again by every wrapper, in case `registerSvc` is not used; has an effect once for each
 * runtime. On hosts that freeze after the response, keeps the function awake from the first span of a trace until its
 * spans are delivered, whichever library made them. On a long-running server it does nothing: the export queue sends
 * batches on its own schedule.
 */
export function deliverWithRequests(): void {
  if (!flushesEachRequest()) return
  const runtime = getRuntime()
  if (!runtime?.watch || slots[SLOT] === runtime) return
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

/** Keeps the function of one request awake until the spans of its trace are delivered, and again for later ones. */
class TraceDelivery {
  readonly #open = new Set<string>()
  readonly #remove: () => void
  #keepAwake: KeepAwake | undefined
  #isWaiting = true
  #resolve: () => void = () => {}

  private constructor(remove: () => void) {
    this.#remove = remove
  }

  /** @returns undefined outside of a request: the export queue then sends on its own schedule */
  static begin(remove: () => void): TraceDelivery | undefined {
    const delivery = new TraceDelivery(remove)
    delivery.#keepAwake = keepAwake(() => delivery.#deliver())
    return delivery.#keepAwake && delivery
  }

  /** Called for each later span of the trace: keeps the function awake again if the wait is over. */
  resume(): this {
    if (!this.#isWaiting) {
      this.#isWaiting = true
      this.#keepAwake?.(() => this.#deliver())
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
    await within(this.#allEnded(), LONGEST_WAIT)
    this.#isWaiting = false
    if (this.#open.size === 0) this.#remove()
    await getRuntime()?.forceFlush()
  }

  /** Resolves when all spans have ended and none has started by the next task: one step often follows another. */
  async #allEnded(): Promise<void> {
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
