import type { KeepAwake } from './keep-awake.ts'
import { getRuntime, type SpanWatcher } from './registry.ts'
import { within } from './timers.ts'

/** Milliseconds a function stays awake for spans that have not ended when its host wants to freeze it. */
const LONGEST_WAIT = 5_000

/** Traces whose deliveries are kept in the map at once; beyond it the oldest is removed. */
const LIMIT = 1_000

type WatchedSpan = Parameters<SpanWatcher['started']>[0]

/** Has the host of this request wait; returns undefined outside of a request. */
type AskHost = (work: () => Promise<void>) => KeepAwake | undefined

/**
 * On hosts that freeze after the response, keeps the function awake from the first span of a trace until its spans are
 * delivered, whichever library made them.
 */
export class Deliveries implements SpanWatcher {
  readonly #traces = new Map<string, TraceDelivery>()
  readonly #keepAwake: AskHost
  readonly #isOn: () => boolean

  constructor(keepAwake: AskHost, isOn: () => boolean) {
    this.#keepAwake = keepAwake
    this.#isOn = isOn
  }

  started(span: WatchedSpan): void {
    this.#deliveryOf(span)?.started(span)
  }

  ended(span: WatchedSpan): void {
    this.#deliveryOf(span)?.ended(span)
  }

  #deliveryOf(span: WatchedSpan): TraceDelivery | undefined {
    if (!this.#isOn()) return undefined
    const { traceId } = span.spanContext()
    const known = this.#traces.get(traceId)
    if (known) return known.resume()
    const made = TraceDelivery.begin(this.#keepAwake, () => this.#traces.delete(traceId))
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
  static begin(keepAwake: AskHost, remove: () => void): TraceDelivery | undefined {
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
