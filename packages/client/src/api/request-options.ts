/** The last argument of every method of `client.api`. What makes no sense counts as left out. */
export interface RequestOptions {
  /** Seconds that one try may take, to the last byte of the answer. Default 60. */
  readonly timeoutInSeconds?: number | undefined
  /** Further tries after 408, 429 and 5xx. Default 2. Unreachable services and timeouts are not tried again. */
  readonly maxRetries?: number | undefined
  /** Ends the request and the pauses between tries; the promise then rejects with its reason. */
  readonly abortSignal?: AbortSignal | undefined
  /** Added to the query, for what the service knows and this version does not. */
  readonly queryParams?: Readonly<Record<string, unknown>> | undefined
  /** Added to the headers; they replace ours, whatever the case. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
  /** In place of the name that this SDK gives itself. */
  readonly xSvcSdkName?: string | undefined
  /** In place of the version of this SDK. */
  readonly xSvcSdkVersion?: string | undefined
  /** In place of the public key in its own header. The keys that authorize stay. */
  readonly xSvcPublicKey?: string | undefined
}
