/** The last argument of every method of `client.api`. Invalid values are ignored. */
export interface RequestOptions {
  /**
   * Time-out of the call in seconds, until the last byte of the response, with retries and the pauses between them: a
   * retry that cannot come in time is not waited for. Default 60.
   */
  readonly timeoutInSeconds?: number | undefined
  /** Number of retries after 408, 425, 429 and 5xx. Default 2. Network errors and time-outs are not retried. */
  readonly maxRetries?: number | undefined
  /** Aborts the request and the pauses between tries; the promise then rejects with the signal's reason. */
  readonly abortSignal?: AbortSignal | undefined
  /** Added to the query, for parameters that this version does not know. */
  readonly queryParams?: Readonly<Record<string, unknown>> | undefined
  /** Added to the headers; they override ours, regardless of case. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
  /** Overrides the name of this SDK. */
  readonly xSvcSdkName?: string | undefined
  /** Overrides the version of this SDK. */
  readonly xSvcSdkVersion?: string | undefined
  /** Overrides the header with the public key. The `authorization` header is not changed. */
  readonly xSvcPublicKey?: string | undefined
}
