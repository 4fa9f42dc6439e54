import type { KeptFor, KeptTraces, LeftOutFor } from '@svc/core/health'
import { Recent } from '../recent.ts'

/** Most decisions that are remembered for late spans, of each kind. */
const REMEMBERED = 10_000

/** Remembers the decisions on traces that have ended, and counts all. */
export class Decisions {
  readonly #kept = new Recent<true>(REMEMBERED)
  readonly #leftOut = new Recent<true>(REMEMBERED)
  readonly #counts: { kept: Partial<Record<KeptFor, number>>; leftOut: Partial<Record<LeftOutFor, number>> } = {
    kept: {},
    leftOut: {},
  }

  get counts(): Pick<KeptTraces, 'kept' | 'leftOut'> {
    return { kept: { ...this.#counts.kept }, leftOut: { ...this.#counts.leftOut } }
  }

  /** Whether a trace was kept; undefined for one that is not remembered. */
  on(traceId: string): boolean | undefined {
    return this.#kept.get(traceId) ?? (this.#leftOut.get(traceId) ? false : undefined)
  }

  remember(traceId: string, isKept: boolean): void {
    const decided = isKept ? this.#kept : this.#leftOut
    decided.set(traceId, true)
  }

  /** Keeps a trace of which nothing is known yet. */
  keepUnknown(traceId: string, why: KeptFor): void {
    if (this.on(traceId) !== undefined) return
    this.remember(traceId, true)
    this.countKept(why)
  }

  countKept(why: KeptFor): void {
    this.#counts.kept[why] = (this.#counts.kept[why] ?? 0) + 1
  }

  countLeftOut(why: LeftOutFor): void {
    this.#counts.leftOut[why] = (this.#counts.leftOut[why] ?? 0) + 1
  }
}
