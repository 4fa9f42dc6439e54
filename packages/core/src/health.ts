/** Why a span was lost. Where OpenTelemetry has a word for it (`error.type` of `otel.sdk.*` metrics) it is that. */
export type DropReason =
  /** More waited than may wait. */
  | 'queue_full'
  /** It was tried for as long as it may be. */
  | 'max_retry_age'
  /** The endpoint does not take it as it is. */
  | 'rejected'
  /** The endpoint does not take a span so large. */
  | 'too_large'
  /** It cannot be read. */
  | 'not_encodable'
  /** A mask or another step of the way failed or was not done with it. */
  | 'not_prepared'
  /** An exporter of the user's failed. */
  | 'export_failed'
  /** The spool could not keep it, or no longer. */
  | 'spool'
  /** It was still here when the process ended. */
  | 'shutdown'

/** How the way to the service is doing: `ended = sent + pending + the sum of dropped`, always. */
export interface SvcHealth {
  /**
   * `ok`: what is sent arrives. `paused`: the endpoint is away or asks for patience, spans wait. `refused`: it takes
   * nothing in this set-up (keys, address), spans wait. `off`: nothing is sent.
   */
  readonly state: 'ok' | 'paused' | 'refused' | 'off'
  /** Spans that ended and were wanted, since the start. */
  readonly ended: number
  /** Spans that arrived. */
  readonly sent: number
  /** Spans that are being prepared, wait, are under way, or lie in the spool of this process. */
  readonly pending: number
  /** Spans that were lost, by reason. */
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>
  /** Bytes of memory that wait or are under way. */
  readonly pendingBytes: number
  /** When spans arrived last, in milliseconds since 1970. */
  readonly lastSuccess: number | undefined
  /** When spans did not arrive last, and why. */
  readonly lastFailure: { readonly at: number; readonly reason: string } | undefined
}
