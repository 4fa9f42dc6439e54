import type { SvcHealth } from '@svc/core/health'
import type { SpanLeftOut } from '@svc/core/span-events'

/** The report of one process of the app. */
export interface ProcessReport {
  readonly pid: number
  /** The program and its arguments, without `node`. */
  readonly command: readonly string[]
  /** Whether svc runs in it. */
  readonly isTraced: boolean
  /** Whether it was written at the end of the process. */
  readonly isFinal: boolean
  /** LLM libraries whose load was observed, with their versions. */
  readonly libraries: readonly string[]
  /** Number of started spans by scope. */
  readonly started: Readonly<Record<string, number>>
  readonly leftOut: readonly (SpanLeftOut & { readonly count: number })[]
  readonly health: SvcHealth
}
