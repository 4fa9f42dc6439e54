import type { SvcHealth } from '@svc/core/health'
import type { SpanLeftOut } from '@svc/core/span-events'

/** What one process of the app says of itself. */
export interface ProcessReport {
  readonly pid: number
  /** The program and its arguments, without `node`. */
  readonly command: readonly string[]
  /** Whether svc runs in it. */
  readonly isTraced: boolean
  /** Whether it was written at the end of the process. */
  readonly isFinal: boolean
  /** LLM libraries that were loaded where they can be seen, with their versions. */
  readonly libraries: readonly string[]
  /** How many spans started, by scope. */
  readonly started: Readonly<Record<string, number>>
  readonly leftOut: readonly (SpanLeftOut & { readonly count: number })[]
  readonly health: SvcHealth
}
