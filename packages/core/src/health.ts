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

/** What keeps a trace: a rule of `SVC_KEEP`; that it belongs to an experiment; or that the process that called keeps it. */
export type KeptFor = 'errors' | 'slow' | 'cost' | 'scored' | 'users' | 'rest' | 'experiment' | 'caller'

export type LeftOutFor =
  /** No rule of `SVC_KEEP` held when it ended. */
  | 'rest'
  /** None held so far, and there was no more room to hold its spans. */
  | 'memory'
  /** None held within ten minutes. */
  | 'time'
  /** The process that called had not kept it by then. */
  | 'caller'

/** What the rules of `SVC_KEEP` have decided. */
export interface KeptTraces {
  /** Traces that were kept. */
  readonly kept: Readonly<Partial<Record<KeptFor, number>>>
  /** Traces that were left out. */
  readonly leftOut: Readonly<Partial<Record<LeftOutFor, number>>>
  /** Spans that were left out with them. They do not count as `ended`. */
  readonly spansLeftOut: number
  /** Spans that wait for a decision, and do not count as `ended` yet. */
  readonly spansHeld: number
}

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
  /** With `SVC_KEEP`: what it has decided. */
  readonly traces?: KeptTraces
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
