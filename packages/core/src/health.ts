/** Why a span was lost: the `error.type` of OpenTelemetry's `otel.sdk.*` metrics, where it has a value for it. */
export type DropReason =
  /** The export queue was full. */
  | 'queue_full'
  /** It was retried for the longest allowed time. */
  | 'max_retry_age'
  /** The endpoint rejected it. */
  | 'rejected'
  /** The endpoint rejected it as too large. */
  | 'too_large'
  /** It cannot be encoded. */
  | 'not_encodable'
  /** A mask or another processing step failed or did not finish. */
  | 'not_prepared'
  /** A user-supplied exporter failed. */
  | 'export_failed'
  /** The spool could not store it, or removed it. */
  | 'spool'
  /** It was still pending when the process ended. */
  | 'shutdown'

/** The state of delivery to the service. `ended = sent + pending + the sum of dropped`, always. */
export interface SvcHealth {
  /**
   * `ok`: requests succeed. `paused`: the endpoint cannot be reached or asked to retry later; spans wait. `refused`: it
   * refuses every request with this configuration (keys, address); spans wait. `off`: nothing is sent.
   */
  readonly state: 'ok' | 'paused' | 'refused' | 'off'
  /** Spans that ended and passed the filters, since the start. */
  readonly ended: number
  /** Spans that the service accepted. */
  readonly sent: number
  /** Spans that are being processed, queued, in a request, or in the spool of this process. */
  readonly pending: number
  /** Spans that were lost, by reason. */
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>
  /** Bytes in memory that are queued or in a request. */
  readonly pendingBytes: number
  /** Time of the last successful request, in milliseconds since 1970. */
  readonly lastSuccess: number | undefined
  /** Time and reason of the last failed request. */
  readonly lastFailure: { readonly at: number; readonly reason: string } | undefined
}

/** The last successful and the last failed request. */
export class ExportRecord {
  #lastSuccess: SvcHealth['lastSuccess']
  #lastFailure: SvcHealth['lastFailure']

  succeeded(): void {
    this.#lastSuccess = Date.now()
  }

  failed(reason: string): void {
    this.#lastFailure = { at: Date.now(), reason }
  }

  read(): Pick<SvcHealth, 'lastSuccess' | 'lastFailure'> {
    return { lastSuccess: this.#lastSuccess, lastFailure: this.#lastFailure }
  }
}
