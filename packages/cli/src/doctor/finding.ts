/** `error`: traces do not arrive. `warning`: some may be missing or wrong. `info`: no problem, but good to know. */
export type Severity = 'ok' | 'info' | 'warning' | 'error'

/** The result of one check. */
export interface Finding {
  /** Its stable name, for `--json` and docs/doctor.md. */
  readonly id: string
  readonly severity: Severity
  /** What was seen. */
  readonly seen: string
  /** What it means, unless that is obvious. */
  readonly means?: string
  /** What to do. */
  readonly remedy?: string
}
