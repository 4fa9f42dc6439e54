/** The HTTP response of a call, without its body. */
export interface RawResponse {
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  readonly url: string
}

/** A result together with its HTTP response. */
export interface WithRawResponse<T> {
  readonly data: T
  readonly rawResponse: RawResponse
}

export function rawResponseOf({ status, statusText, headers, url }: Response): RawResponse {
  return { status, statusText, headers, url }
}
