import type { Severity } from '../severity.ts'

/** The result of one check. */
export interface Finding {
  /** Its stable name, for `--json` and docs/doctor.md. */
  readonly id: string
  /** `error`: traces do not arrive. `warning`: some may be missing or wrong. */
  readonly severity: Severity
  readonly seen: string
  /** What it means, unless that is obvious. */
  readonly means?: string
  /** What to do. */
  readonly remedy?: string
}
