/** `error`: it stands in the way of traces. `warning`: some may be missing or wrong. `info`: good to know. */
export type Severity = 'ok' | 'info' | 'warning' | 'error'

/** One thing that the doctor looked at or tried. */
export interface Finding {
  /** Its stable name, for `--json` and docs/doctor.md. */
  readonly id: string
  readonly severity: Severity
  /** What was seen. */
  readonly seen: string
  /** What it means. Left out where that goes without saying. */
  readonly means?: string
  /** What to do. */
  readonly remedy?: string
}
