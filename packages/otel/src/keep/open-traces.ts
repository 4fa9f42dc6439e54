import type { TracePart } from './trace-part.ts'

/** Most of them. */
const MOST = 10_000
/** After that a trace gives way to others, if there is no room. In milliseconds. */
const LONG_MS = 60_000

/** The traces of which more may come, in the order of their starts. Those that have ended wait for what may follow. */
export class OpenTraces {
  readonly #all = new Map<string, TracePart>()
  readonly #ended = new Set<TracePart>()

  get(traceId: string): TracePart | undefined {
    return this.#all.get(traceId)
  }

  all(): Iterable<TracePart> {
    return this.#all.values()
  }

  /** The first to end first. */
  ended(): Iterable<TracePart> {
    return this.#ended
  }

  add(trace: TracePart): void {
    this.#all.set(trace.id, trace)
  }

  delete(trace: TracePart): void {
    if (this.#all.get(trace.id) === trace) this.#all.delete(trace.id)
    this.#ended.delete(trace)
  }

  goesOn(trace: TracePart): void {
    trace.endedAt = undefined
    this.#ended.delete(trace)
  }

  ends(trace: TracePart): void {
    trace.endedAt = performance.now()
    this.#ended.add(trace)
  }

  /** Returns the one that has to go before another comes. */
  excess(): TracePart | undefined {
    if (this.#all.size < MOST) return undefined
    const [first] = this.#ended.size > 0 ? this.#ended : this.#all.values()
    return first
  }

  /**
   * Returns the one that makes room for a span of a trace. First those that have ended, whose spans say no more: a score
   * might still keep one. Then the oldest if it has taken its time: if it had to go each time, none would stay until its end
   * where there are more than there is room for.
   */
  toGiveWay(trace: TracePart, oldest: TracePart): TracePart | undefined {
    for (const each of this.#ended) if (each !== trace) return each
    return oldest !== trace && performance.now() - oldest.since >= LONG_MS ? oldest : undefined
  }
}
